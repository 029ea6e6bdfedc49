// A stand-in for the CLI in tests of the process layer: acknowledges every line, and does what a line tells it to.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { createInterface } from "node:readline";

const say = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
// What a stubborn tool looks like: a session of its own, deaf to SIGTERM.
const deafChild = "process.on('SIGTERM', () => {}); process.stdout.write('up'); setInterval(() => {}, 1000)";

const deeds = {
  tell: () =>
    say({ argv: process.argv.slice(2), cwd: process.cwd(), env: process.env, umask: process.umask() }),
  exit: ({ code }) => process.exit(code),
  kill: ({ signal }) => process.kill(process.pid, signal),
  deafen: () => {
    process.on("SIGTERM", () => {});
    say({ deaf: true });
  },
  child: () => {
    const child = spawn(process.execPath, ["-e", deafChild], { detached: true });
    // It is deaf once it speaks: before that, SIGTERM would end it.
    child.stdout.once("data", () => say({ child: child.pid }));
  },
};

createInterface({ input: process.stdin }).on("line", (line) => {
  let order = {};
  try {
    order = JSON.parse(line);
  } catch {}
  const deed = deeds[order.do];
  if (deed) deed(order);
  else say({ characters: line.length, sha256: createHash("sha256").update(line).digest("hex") });
});
