import { Api, GrammyError } from "grammy";
import type { Chat } from "./chat-control.ts";
import type { Person } from "./person.ts";
import { type Simulator, startSimulator } from "./simulator.ts";

/** What every test of the simulator starts from: a clock that stands still, two people, a private chat and a group. */
export type Stage = {
  clock: { at: number };
  telegram: Simulator;
  api: Api;
  ann: Person;
  bob: Person;
  chat: Chat;
  group: Chat;
};

/** Sets the stage anew; whoever does closes `telegram` after. */
export async function setStage(): Promise<Stage> {
  const clock = { at: Date.UTC(2026, 10, 16, 12) };
  const telegram = await startSimulator({ now: () => clock.at });
  const api = new Api(telegram.token, { apiRoot: telegram.root });
  const ann = telegram.user({ id: 111, first_name: "Ann", username: "ann" });
  const bob = telegram.user({ id: 222, first_name: "Bob" });
  const chat = telegram.privateChat(ann);
  const group = telegram.group({ id: -1_001_000, title: "Team", members: [ann, bob] });
  return { clock, telegram, api, ann, bob, chat, group };
}

/** What a call was rejected with; undefined when it went well. */
export async function failure(call: Promise<unknown>): Promise<unknown> {
  return await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
}

/** What Telegram answered instead of a result. */
export async function refusal(call: Promise<unknown>): Promise<string> {
  const error = await failure(call);
  return error instanceof GrammyError
    ? `${error.error_code} ${error.description}`
    : `not refused: ${String(error)}`;
}
