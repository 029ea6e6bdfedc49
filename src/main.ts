#!/usr/bin/env node
import "./app/lean-memory.ts";
import { homedir } from "node:os";
import { runCommand } from "./app/run-command.ts";

const exitCode = await runCommand(
  process.argv.slice(2),
  {
    env: process.env,
    cwd: process.cwd(),
    homedir: homedir(),
    out: (line) => process.stdout.write(`${line}\n`),
    err: (line) => process.stderr.write(`${line}\n`),
  },
  { loadBot: () => import("./app/build.ts"), loadShutdown: () => import("./app/shutdown.ts") },
);
// Said outright: a connection that is still open must not keep a stopped bot alive.
process.exit(exitCode);
