import type { IPty } from "@lydell/node-pty";
import { spawn } from "@lydell/node-pty";

/** A terminal in raw mode whose other end appends every byte to a file. */
export type RawPty = {
  write(bytes: Buffer): void;
  /** Kills the appending program and resolves when it is gone; bytes still under way are dropped. */
  end(): Promise<void>;
};

/** The file to append to, the writer's environment, and who is told when it is gone, with its last words. */
export type RawPtyOptions = {
  file: string;
  env: Record<string, string>;
  onEnded: (said: string) => void;
};

/** Opens a raw PTY that appends to the file; or, if that cannot be, hands back what the other end said. */
export function openRawPty({
  file,
  env,
  onEnded,
}: RawPtyOptions): Promise<{ ok: true; pty: RawPty } | { ok: false; said: string }> {
  const pty = spawnBytePty(file, { PATH: process.env["PATH"], LC_ALL: "C", ...env });
  // Without a listener of our own node-pty throws its socket's errors at nobody; the exit that follows tells enough.
  pty.on("error", () => {});

  return new Promise((resolve) => {
    let isReady = false;
    let said = "";
    const ended = new Promise<void>((resolveEnded) => {
      pty.onExit(() => {
        resolveEnded();
        if (isReady) onEnded(said.trim());
        else resolve({ ok: false, said: said.trim() });
      });
    });

    pty.onData((bytes) => {
      said = (said + bytes.toString("utf8")).slice(-2_000);
      if (isReady || !said.startsWith(readyMark)) return;
      isReady = true;
      said = said.slice(readyMark.length);
      resolve({ ok: true, pty: { write: (out) => pty.write(out), end } });
    });

    async function end(): Promise<void> {
      // A raw terminal carries no end of input, and `cat` holds nothing back that a gentler signal would save.
      pty.kill("SIGKILL");
      await ended;
    }
  });
}

const readyMark = "R";

// The mark comes only after raw mode is set and the file is open. In canonical mode a line over 4,095 bytes would be
// cut and everything echoed, so nothing may be written before.
const script = `stty raw -echo && exec 3>&1 >>"$0" && printf ${readyMark} >&3 && exec cat 3>&-`;

type BytePty = Pick<IPty, "onExit" | "kill"> & {
  onData(listener: (bytes: Buffer) => void): unknown;
  write(bytes: Buffer): void;
  on(event: "error", listener: (error: Error) => void): void;
};

// node-pty's types know only its text mode. With `encoding: null` it takes and gives bytes; text would be wrong here,
// where a write may end inside a character.
function spawnBytePty(file: string, env: Record<string, string | undefined>): BytePty {
  return spawn("/bin/sh", ["-c", script, file], { encoding: null, cwd: "/", env }) as unknown as BytePty;
}
