import { HttpError } from "grammy";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startSimulator } from "./simulator.ts";
import { failure, refusal, type Stage, setStage } from "./stage.ts";

let clock: Stage["clock"];
let telegram: Stage["telegram"];
let api: Stage["api"];
let chat: Stage["chat"];

beforeEach(async () => {
  ({ clock, telegram, api, chat } = await setStage());
});

afterEach(async () => {
  await telegram.close();
});

describe("faults", () => {
  test("429 says how long to wait, in the body and the header", async () => {
    telegram.faults.next("sendMessage", { kind: "429", retryAfter: 7, when: ({ text }) => text === "hot" });
    await api.sendMessage(111, "cool");
    const url = `${telegram.root}/bot${telegram.token}/sendMessage`;
    const answer = await fetch(url, {
      method: "POST",
      body: new URLSearchParams({ chat_id: "111", text: "hot" }),
    });
    expect([answer.status, answer.headers.get("retry-after"), await answer.json()]).toEqual([
      429,
      "7",
      {
        ok: false,
        error_code: 429,
        description: "Too Many Requests: retry after 7",
        parameters: { retry_after: 7 },
      },
    ]);
    await api.sendMessage(111, "hot");
    expect(chat.messages().map(({ text }) => text)).toEqual(["cool", "hot"]);
  });

  test("a bad gateway and a cut connection are HTTP errors; only one of them lost just the answer", async () => {
    telegram.faults.next("*", "502html");
    telegram.faults.next("sendMessage", "reset_before");
    telegram.faults.next("sendMessage", "reset_after");
    const failures = [
      await failure(api.sendMessage(111, "gateway")),
      await failure(api.sendMessage(111, "before")),
      await failure(api.sendMessage(111, "after")),
    ];
    expect(failures.map((error) => error instanceof HttpError)).toEqual([true, true, true]);
    expect(chat.messages().map(({ text }) => text)).toEqual(["after"]);
    expect(telegram.calls().map(({ answer }) => answer)).toEqual(["502html", "reset_before", "reset_after"]);
  });

  test("can be errors of any kind, many times, or until cleared", async () => {
    telegram.faults.next("sendMessage", {
      kind: "error",
      code: 403,
      description: "Forbidden: odd",
      times: 2,
    });
    expect(await refusal(api.sendMessage(111, "x"))).toBe("403 Forbidden: odd");
    expect(await refusal(api.sendMessage(111, "x"))).toBe("403 Forbidden: odd");
    telegram.faults.always("sendMessage", "500");
    expect(await refusal(api.sendMessage(111, "x"))).toBe("500 Internal Server Error: restart");
    telegram.faults.clear();
    await api.sendMessage(111, "x");
    expect(chat.messages()).toHaveLength(1);
  });

  test("a slow answer still comes, a hanging one never does", async () => {
    telegram.faults.next("sendMessage", { kind: "slow", ms: 20 });
    await api.sendMessage(111, "slow");
    telegram.faults.next("sendMessage", "hang");
    const giveUp = new AbortController();
    const call = fetch(`${telegram.root}/bot${telegram.token}/sendMessage?chat_id=111&text=hang`, {
      signal: giveUp.signal,
    });
    await telegram.until(() => telegram.calls("sendMessage").length === 2, "the second call");
    giveUp.abort();
    await expect(call).rejects.toThrow("abort");
    expect(chat.messages()).toHaveLength(1);
  });

  test("the network can go away and come back", async () => {
    await telegram.network.down();
    expect(await failure(api.getMe())).toBeInstanceOf(HttpError);
    await telegram.network.up();
    expect(await api.getMe()).toMatchObject({ is_bot: true });
  });

  test("flood control lets a burst through, then asks to wait by the clock", async () => {
    telegram.flood.on({ chat: { burst: 2, perSecond: 1 } });
    const { message_id } = await api.sendMessage(111, "one");
    await api.editMessageText(111, message_id, "two");
    expect(await refusal(api.sendMessage(111, "three"))).toBe("429 Too Many Requests: retry after 1");
    expect(await api.sendChatAction(111, "typing")).toBe(true);
    clock.at += 1000;
    await api.sendMessage(111, "three");
    telegram.flood.off();
    await api.sendMessage(111, "four");
    expect(chat.messages()).toHaveLength(3);
  });
});

describe("the wire", () => {
  const ask = async (path: string, init?: RequestInit): Promise<unknown> => {
    const answer = await fetch(telegram.root + path, init);
    return await answer.json();
  };

  test("knows tokens, methods in any case, and what is missing", async () => {
    const { token } = telegram;
    expect(await ask("/nothing")).toEqual({ ok: false, error_code: 404, description: "Not Found" });
    expect(await ask(`/bot${token}/fly`)).toMatchObject({
      error_code: 404,
      description: "Not Found: method not found",
    });
    expect(await ask("/bot123/getMe")).toMatchObject({
      error_code: 401,
      description: "Unauthorized: invalid token specified",
    });
    expect(await ask("/bot1:x/getMe")).toMatchObject({ error_code: 401, description: "Unauthorized" });
    expect(await ask(`/bot${token}/GETME`)).toMatchObject({ ok: true });
  });

  test("takes parameters from the query, a form and JSON, all at once", async () => {
    const path = `/bot${telegram.token}/sendMessage?chat_id=111`;
    const form = new FormData();
    form.set("text", "multipart");
    await ask(path, { method: "POST", body: form });
    await ask(path, { method: "POST", body: new URLSearchParams({ text: "form" }) });
    const headers = { "content-type": "application/json" };
    await ask(path, { method: "POST", headers, body: JSON.stringify({ text: "json" }) });
    await ask(`${path}&text=query`);
    expect(chat.messages().map(({ text }) => text)).toEqual(["multipart", "form", "json", "query"]);
  });

  test("can be logged out of, but not closed in the first ten minutes", async () => {
    expect(await refusal(api.close())).toBe("429 Too Many Requests: retry after 600");
    await api.logOut();
    expect(await refusal(api.getMe())).toBe("400 Logged out");
  });
});

describe("waiting and closing", () => {
  test("a wait in vain says what was there instead", async () => {
    const impatient = await startSimulator({ patienceMs: 20 });
    const bob = impatient.user({ id: 222, first_name: "Bob" });
    const empty = impatient.privateChat(bob);
    bob.sends(empty, "anyone?");
    await expect(empty.untilMessage("an answer")).rejects.toThrow(
      /in vain for a message .*an answer[^]*222: "anyone\?"/,
    );
    await impatient.close();
  });

  test("closing ends long polls, open connections and waits", async () => {
    const poll = failure(api.getUpdates({ timeout: 50 }));
    await telegram.until(() => telegram.isPolling(), "a poll");
    const wait = failure(chat.untilMessage("never"));
    await telegram.close();
    expect(await poll).toBeInstanceOf(Error);
    expect(String(await wait)).toContain("The simulator was closed");
    expect(await failure(api.getMe())).toBeInstanceOf(HttpError);
  });
});
