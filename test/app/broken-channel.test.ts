import { expect, test } from "vitest";
import { sendControl } from "../../src/app/control.ts";
import { settleEnd } from "../../src/app/process-end.ts";
import { createSupervisor } from "../../src/app/supervisor.ts";
import { createTasks } from "../../src/app/tasks.ts";
import { interrupt } from "../../src/claude/frames.ts";
import { noWork } from "../../src/core/work.ts";
import { aDesk } from "./a-desk.ts";

/** A desk whose process runs, and a supervisor that no real process stands behind. */
function running() {
  const stage = aDesk();
  const { desk, processId } = stage;
  // A process that is long gone: nothing can be ended by mistake.
  desk.store.processes.started(processId, { pid: 2 ** 30, startTime: "never" });
  const tasks = createTasks(desk.log);
  const supervisor = createSupervisor(desk, { instance: "none", command: ["claude"], parentEnv: {}, tasks });
  const state = () => desk.store.processes.get(processId);
  return { ...stage, supervisor, state };
}

/** Lets time pass in ticks, as the bot does; a longer gap would be taken for a machine that slept. */
function tickFor(seconds: number, { wait, supervisor }: ReturnType<typeof running>): void {
  for (let second = 0; second < seconds; second += 1) {
    wait(1 / 60);
    supervisor.tick();
  }
}

test("a process that owes a reply for 30 s is ended as broken, and the thread is told what to do", async () => {
  const stage = running();
  const { desk, state } = stage;
  sendControl(desk, state(), "interrupt", interrupt);
  tickFor(29, stage);
  expect(state().state).toBe("running");
  tickFor(2, stage);
  expect(state()).toMatchObject({ state: "ending", ending: "broken" });
  settleEnd(desk, state(), { code: 143, stderr: "" }, noWork);
  expect(stage.deliver().at(-1)?.text).toContain("Claude stopped answering, so I ended its process.");
  await stage.supervisor.close();
});

test("a reply that came, a rollback, and a machine that slept break nothing", () => {
  const stage = running();
  const { desk, state, processId } = stage;
  expect(() =>
    desk.store.transaction(() => {
      sendControl(desk, state(), "interrupt", interrupt);
      throw new Error("something else failed");
    }),
  ).toThrow("something else failed");
  desk.store.awaited.add(processId, "w1", "interrupt", desk.clock() + 30_000);
  expect(desk.store.awaited.replied(processId, "w1")).toBe("interrupt");
  expect(desk.store.awaited.replied(processId, "w1")).toBeUndefined();
  tickFor(40, stage);
  desk.store.awaited.add(processId, "w2", "interrupt", desk.clock() + 30_000);
  stage.wait(60);
  stage.supervisor.tick();
  expect(state().state).toBe("running");
});
