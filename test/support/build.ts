import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Journeys run the built program, as a user does; so it is built before them, once. */
export function setup(): void {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.json"], {
    cwd: root,
    stdio: "inherit",
  });
}
