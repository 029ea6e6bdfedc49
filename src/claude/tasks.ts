import type { BackgroundTask } from "../core/agent-event.ts";
import { maskSecrets } from "../core/mask.ts";
import type { WireMessage } from "./wire.ts";

/** The tasks of one process, folded from its lines. */
export type Tasks = {
  /** This CLI sends the whole list itself, so that nothing has to be worked out. */
  listed: boolean;
  running: readonly BackgroundTask[];
  /** Those of the running ones that outlived a turn. */
  background: readonly BackgroundTask[];
  /** The tool use that started an agent → the id the agent asks under. */
  agents: Readonly<Record<string, string>>;
};

export const noTasks: Tasks = { listed: false, running: [], background: [], agents: {} };

/**
 * Follows the tasks over one message, and tells the list of background tasks when the message changes it.
 * Older CLIs send no such list, and report commands and agents of a turn in the same words: there a task that is still
 * running when its turn ends is one in the background.
 */
export function followTasks(tasks: Tasks, message: WireMessage): { tasks: Tasks; told?: BackgroundTask[] } {
  if (message.type === "result") return turnEnded(tasks);
  if (message.type !== "system") return { tasks };
  switch (message.subtype) {
    case "background_tasks_changed": {
      const told = message.tasks.map(({ task_id, task_type, description }) =>
        toTask(task_id, task_type, description),
      );
      return { tasks: { ...tasks, listed: true, running: [], background: told }, told };
    }
    case "task_started":
      return { tasks: started(tasks, message) };
    case "task_notification":
      return ended(tasks, message.task_id);
    case "task_updated":
      return message.patch?.status === undefined || STILL_RUNNING.has(message.patch.status)
        ? { tasks }
        : ended(tasks, message.task_id);
    default:
      return { tasks };
  }
}

const STILL_RUNNING = new Set(["pending", "running", "paused"]);

function started(tasks: Tasks, message: Extract<WireMessage, { type: "system" }>): Tasks {
  const { task_id: id, task_type: type, tool_use_id: toolUseId } = message;
  if (id === undefined) return tasks;
  const agents =
    type === "local_agent" && toolUseId !== undefined ? { ...tasks.agents, [toolUseId]: id } : tasks.agents;
  if (tasks.listed) return { ...tasks, agents };
  return { ...tasks, agents, running: [...tasks.running, toTask(id, type, message.description)] };
}

function ended(tasks: Tasks, id: string | undefined): { tasks: Tasks; told?: BackgroundTask[] } {
  if (tasks.listed) return { tasks };
  const running = tasks.running.filter((task) => task.taskId !== id);
  const background = tasks.background.filter((task) => task.taskId !== id);
  const after = { ...tasks, running, background };
  return background.length === tasks.background.length
    ? { tasks: after }
    : { tasks: after, told: background };
}

function turnEnded(tasks: Tasks): { tasks: Tasks; told?: BackgroundTask[] } {
  if (tasks.listed || tasks.running.length === tasks.background.length) return { tasks };
  return { tasks: { ...tasks, background: tasks.running }, told: [...tasks.running] };
}

function toTask(taskId: string, type = "", description = ""): BackgroundTask {
  // A task may be described by its command, and is shown wherever tasks are listed.
  return { taskId, type, description: maskSecrets(description).text };
}
