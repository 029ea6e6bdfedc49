// A stand-in for the CLI that speaks its stream-json and plays what a prompt tells it, for what the real one cannot be
// made to say. A prompt is `PLAY:` and a JSON list of steps:
//   { say }   one message, as JSON; in its texts $BIG stands for five million characters
//   { raw }   one line as it is
//   { hear }  waits for the answer to this request id; the turn's final text lists all answers that were heard
import { createInterface } from "node:readline";

if (process.argv.includes("--version")) {
  process.stdout.write("2.1.197 (Claude Code)\n");
  process.exit(0);
}

const big = `first line\n${"0123456789".repeat(500_000)}\nlast line`;
const answers = new Map();
const listeners = new Map();
const session_id = process.argv[process.argv.findIndex((arg) => /^--(session-id|resume)$/.test(arg)) + 1];

const write = (line) => process.stdout.write(`${line}\n`);
const say = (message) =>
  write(JSON.stringify({ session_id, ...message }, (_, value) => (value === "$BIG" ? big : value)));

function hear(id) {
  if (answers.has(id)) return Promise.resolve();
  return new Promise((resolve) => listeners.set(id, resolve));
}

async function play({ uuid, message }) {
  say({ type: "system", subtype: "init", model: "scripted", permissionMode: "default", cwd: process.cwd() });
  say({ type: "user", uuid, isReplay: true, message });
  const steps = JSON.parse(message.content.slice(message.content.indexOf("PLAY:") + "PLAY:".length));
  for (const step of steps) {
    if (step.say !== undefined) say(step.say);
    else if (step.raw !== undefined) write(step.raw);
    else await hear(step.hear);
  }
  const heard = Object.fromEntries(answers);
  const result = `Heard: ${JSON.stringify(heard, (_, value) => (value === big ? "$BIG" : value))}`;
  say({ type: "result", subtype: "success", is_error: false, num_turns: 1, total_cost_usd: 0, result });
  answers.clear();
}

let playing = Promise.resolve();
createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "user") playing = playing.then(() => play(message));
  if (message.type === "control_response") {
    answers.set(message.response.request_id, message.response);
    listeners.get(message.response.request_id)?.();
  }
  if (message.type === "control_request") {
    const { request_id, request } = message;
    say({ type: "control_response", response: { subtype: "success", request_id, response: {} } });
    if (request.subtype === "end_session") process.exit(0);
  }
});
