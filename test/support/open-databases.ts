// Run as a process of its own: opens the store in each file named on stdin, and says how that went.
import { createInterface } from "node:readline";
import { openDatabase } from "../../src/store/database.ts";

process.stdout.write("ready\n");
for await (const file of createInterface({ input: process.stdin })) {
  try {
    openDatabase(file).close();
    process.stdout.write("opened\n");
  } catch (error) {
    process.stdout.write(`${String(error)}\n`);
  }
}
