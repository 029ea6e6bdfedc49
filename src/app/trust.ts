import { isTrustedByClaude, readBrought } from "../claude/project-brings.ts";
import type { ThreadId } from "../core/ids.ts";
import { bringsAnything } from "../core/trust.ts";
import type { TrustView } from "../core/view.ts";
import type { Trust } from "../store/trust.ts";
import type { Person } from "../telegram/intent.ts";
import type { Project } from "./config.ts";
import type { Desk } from "./desk.ts";
import { shortId } from "./new-id.ts";

/**
 * Whether a folder's own hooks, servers and rules may run. A folder nobody has spoken for starts without them, and the
 * thread gets a card that lists them; another fingerprint is asked about anew.
 */
export async function isTrusted(
  desk: Desk,
  project: Project,
  threadId: ThreadId,
  env: Readonly<Record<string, string>>,
): Promise<boolean> {
  if (project.trust || (await isTrustedByClaude(project.path, env))) return true;
  const { brings, fingerprint } = await readBrought(project.path);
  const said = desk.store.trust.of(project.path, fingerprint);
  if (said !== undefined && said.state !== "outdated") return said.state === "trusted";
  if (!bringsAnything(brings)) return false;
  desk.store.transaction(() => {
    const earlier = desk.store.trust.ofPath(project.path);
    for (const one of earlier) if (one.state === "asked") outdate(desk, one, project.name);
    const id = said?.id ?? shortId<string>();
    const trust: Trust = { id, path: project.path, fingerprint, brings, state: "asked", threadId };
    const changed = earlier.some((one) => one.state === "trusted" || one.state === "refused");
    const view: TrustView = { ...trustView(trust, project.name), changed };
    const cardId = desk.present.show(threadId, view, { lane: "request" });
    if (said === undefined) desk.store.trust.ask({ ...trust, cardId }, desk.clock());
    else desk.store.trust.askAgain(id, { cardId, threadId }, desk.clock());
  });
  return false;
}

/** The owner's word on a Trust card; the toast says what it means. */
export function decideTrust(
  desk: Desk,
  trustId: string,
  by: Person,
  word: "trusted" | "refused",
): { toast: string; path?: string } {
  const trust = desk.store.trust.get(trustId);
  if (trust === undefined || trust.state === "outdated") return { toast: "This card is out of date." };
  if (trust.state !== "asked") return { toast: `Already ${trust.state}.` };
  const at = desk.clock();
  desk.store.trust.decide(trustId, word, by.name, at);
  desk.store.audit.add({
    at,
    who: by.name,
    whoId: by.id,
    what: word === "trusted" ? "trust" : "distrust",
    subject: trust.path,
    rule: trust.fingerprint.slice(0, 12),
    threadId: trust.threadId,
  });
  if (trust.cardId !== undefined) {
    const view = {
      ...trustView(trust, projectName(desk, trust.path)),
      outcome: { kind: word, by: by.name, at },
    };
    desk.present.refresh(trust.cardId, view, "request");
  }
  return word === "trusted" ? { toast: "Trusted", path: trust.path } : { toast: "Kept out" };
}

function outdate(desk: Desk, trust: Trust, project: string): void {
  const at = desk.clock();
  desk.store.trust.decide(trust.id, "outdated", undefined, at);
  if (trust.cardId === undefined) return;
  desk.present.refresh(
    trust.cardId,
    { ...trustView(trust, project), outcome: { kind: "outdated", at } },
    "request",
  );
}

function trustView(trust: Trust, project: string): TrustView {
  return { kind: "trust", trustId: trust.id, project, path: trust.path, changed: false, ...trust.brings };
}

function projectName(desk: Desk, path: string): string {
  return [...desk.config.projects.values()].find((project) => project.path === path)?.name ?? path;
}
