// Run as a process of its own: holds a stdin, and stands still in the middle of a line until it is killed.
import { readFileSync, writeSync } from "node:fs";
import { openStdin } from "../../src/claude/stdin.ts";

const [folder = "", instance = "", bytesFile = "", stopAt = "0"] = process.argv.slice(2);
const bytes = readFileSync(bytesFile);

openStdin({
  folder,
  instance,
  source: {
    read(offset) {
      if (offset >= Number(stopAt)) {
        writeSync(1, "middle\n");
        // Not a wait of the event loop: what is in the PTY and in our own buffers stays just as it is.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
      }
      return bytes.subarray(offset, offset + 100_000);
    },
  },
  onError: (failure) => writeSync(2, failure.message),
});
