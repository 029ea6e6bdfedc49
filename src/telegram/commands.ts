import { type Api, GrammyError } from "grammy";

/** Our commands, in the order of the menu; every other slash command is Claude's. */
export const commands = [
  { command: "start", description: "What this bot does" },
  { command: "help", description: "How to use it" },
  { command: "new", description: "Start a fresh conversation" },
  { command: "cancel", description: "Stop what Claude is doing" },
  { command: "status", description: "What is going on here" },
  { command: "pending", description: "Everything that waits for you" },
  { command: "planmode", description: "Plan first: on, off, auto or clear" },
  { command: "project", description: "Choose the project" },
  { command: "audit", description: "What was decided, by whom and why" },
  { command: "enable", description: "Let me work in this group" },
] as const;

/** The name of a command of ours, without its slash. */
export type CommandName = (typeof commands)[number]["command"];

/** Tells whether a command is ours. */
export function isCommandName(name: string): name is CommandName {
  return commands.some(({ command }) => command === name);
}

/** What `/start` and `/help` say. */
export const helpText = `Write to me, and Claude Code works in your project on your machine. \
Before it does anything you have not allowed, a card with buttons asks you here.

On a card
• Allow: this once. Always allow: also next time; the card shows the exact rule.
• Deny: not this. Reply to the card to say why.
• A plan: approve it, deny it, or pause and ask for an outline first.
• A question: tap an answer, or type your own.

While Claude works you can keep writing; it reads along. Stop is under the progress message.

/new starts fresh
/cancel stops the work
/status shows what is going on
/pending lists what waits for you
/planmode lets Claude plan first
/project switches the project
/audit shows what was decided

Other slash commands, as /compact or /model, go to Claude.`;

/** What kept a menu from being set: worth a log line, never a reason to stop. */
export type MenuFailure = { menu: "default" | number; why: string };

/**
 * Shows our commands to the allowed users alone: each in the private chat with them, strangers see none.
 * It never throws; someone who has not started the bot yet has no chat, and that is no failure.
 */
export async function registerCommands(
  api: Pick<Api, "setMyCommands" | "deleteMyCommands">,
  allowedUsers: readonly number[],
): Promise<MenuFailure[]> {
  const failures: MenuFailure[] = [];
  const attempt = async (menu: MenuFailure["menu"], call: () => Promise<unknown>) => {
    try {
      await call();
    } catch (error) {
      if (!isChatNotFound(error))
        failures.push({ menu, why: error instanceof Error ? error.message : String(error) });
    }
  };
  await attempt("default", () => api.deleteMyCommands());
  for (const user of allowedUsers) {
    // A private chat has the id of its user.
    await attempt(user, () => api.setMyCommands(commands, { scope: { type: "chat", chat_id: user } }));
  }
  return failures;
}

function isChatNotFound(error: unknown): boolean {
  return (
    error instanceof GrammyError && error.error_code === 400 && error.description.includes("chat not found")
  );
}
