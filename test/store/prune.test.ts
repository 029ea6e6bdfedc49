import { expect, test } from "vitest";
import type { PromptId } from "../../src/core/ids.ts";
import { pruneRows } from "../../src/store/prune.ts";
import { aSession, process1 } from "./a-session.ts";

test("what was over long ago is forgotten; what waits, is open or on its way stays, and so does the audit", () => {
  const { db, home, addProcess, addRequest, addTurn, requests, turns, prompts, audit } = aSession();
  addProcess(process1);
  const [old, waiting] = [addRequest("old"), addRequest("waiting")];
  requests.close(old.id, "withdrawn", { kind: "withdrawn", at: 20 }, 20);
  turns.close(addTurn("over").id, "done", undefined, 20);
  addTurn("open");
  for (const state of ["done", "queued"] as const) {
    const id = state as string as PromptId;
    prompts.add({
      id,
      threadId: home,
      text: state,
      state,
      author: "Ann",
      authorId: 111,
      tries: 0,
      createdAt: 10,
    });
  }
  audit.add({ at: 10, who: "Ann", what: "allow" });

  pruneRows(db, 1_000);
  const left = (table: string) =>
    db
      .prepare<[], { id: string }>(`SELECT id FROM ${table}`)
      .all()
      .map(({ id }) => id);
  expect({
    requests: left("requests"),
    turns: left("turns"),
    prompts: left("prompts"),
    audit: audit.newest(5).length,
  }).toEqual({
    requests: [waiting.id],
    turns: ["open"],
    prompts: ["queued"],
    audit: 1,
  });
});
