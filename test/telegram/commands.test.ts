import { GrammyError } from "grammy";
import { expect, test } from "vitest";
import { commands, helpText, registerCommands } from "../../src/telegram/commands.ts";

/** The Bot API's side of the two calls, as far as this needs it. */
function anApi(failing: (call: string) => Error | undefined = () => undefined) {
  const calls: string[] = [];
  const answer = async (call: string): Promise<true> => {
    calls.push(call);
    const error = failing(call);
    if (error !== undefined) throw error;
    return true;
  };
  return {
    calls,
    setMyCommands: (list: readonly unknown[], other?: { scope?: unknown }) =>
      answer(`set ${list.length} ${JSON.stringify(other?.scope)}`),
    deleteMyCommands: () => answer("delete default"),
  };
}

const apiError = (error_code: number, description: string) =>
  new GrammyError(
    "Call to 'setMyCommands' failed!",
    { ok: false, error_code, description },
    "setMyCommands",
    {},
  );

test("the menu is shown to the allowed users alone", async () => {
  const api = anApi();
  expect(await registerCommands(api, [111, 222])).toEqual([]);
  expect(api.calls).toEqual([
    "delete default",
    'set 10 {"type":"chat","chat_id":111}',
    'set 10 {"type":"chat","chat_id":222}',
  ]);
});

test("someone who never started the bot is no failure, and the others still get their menu", async () => {
  const api = anApi((call) =>
    call.includes("111") ? apiError(400, "Bad Request: chat not found") : undefined,
  );
  expect(await registerCommands(api, [111, 222])).toEqual([]);
  expect(api.calls).toHaveLength(3);
});

test("any other failure is reported and stops nothing", async () => {
  const api = anApi((call) =>
    call.includes("111")
      ? apiError(500, "Internal Server Error")
      : call.startsWith("delete")
        ? new Error("offline")
        : undefined,
  );
  expect(await registerCommands(api, [111, 222])).toEqual([
    { menu: "default", why: "offline" },
    { menu: 111, why: "Call to 'setMyCommands' failed! (500: Internal Server Error)" },
  ]);
});

test("every command fits Telegram's rules and all that matter in private are in the help", () => {
  for (const { command, description } of commands) {
    expect(command).toMatch(/^[a-z0-9_]{1,32}$/);
    expect(description.length).toBeLessThan(60);
  }
  for (const name of ["new", "cancel", "status", "pending", "planmode", "project", "audit"])
    expect(helpText).toContain(`/${name} `);
  expect(helpText.length).toBeLessThan(1200);
});
