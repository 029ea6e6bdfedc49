// Run as a process of its own: launches a program, says who it is, and stays until it is killed.
import { writeSync } from "node:fs";
import { launchProcess } from "../../src/claude/launch.ts";

const [folder = "", instance = "", ...argv] = process.argv.slice(2);
const marks = { instance, session: "s" };
const env = { PATH: process.env["PATH"] ?? "" };
writeSync(1, `${JSON.stringify(await launchProcess({ folder, argv, cwd: "/", env, marks }))}\n`);
setInterval(() => {}, 1_000);
