/** Why a call of this program deserves a second look; nothing for all that is not known to. */
export function* programDangers(name: string, args: string[]): Generator<string> {
  if (name.startsWith("mkfs")) yield DISK;
  for (const { why, when } of BY_PROGRAM.get(name) ?? []) if (when(args)) yield why;
}

const DISK = "erases a disk";
const UNCOMMITTED = "throws away what is not committed";

type Rule = [programs: string[], why: string, when?: (args: string[]) => boolean];

const RULES: readonly Rule[] = [
  [["rm"], "deletes a whole folder", flag("r", "R", "recursive")],
  [["rm"], "deletes all that matches", (args) => args.some((arg) => arg.includes("*"))],
  [["find"], "deletes all that it finds", has("-delete")],
  [
    ["find"],
    "deletes all that it finds",
    (args) => args.some((arg, at) => arg === "rm" && isRun(args[at - 1])),
  ],
  [["shred", "truncate"], "erases the content of a file"],
  [["sudo", "doas", "su", "pkexec"], "runs as root"],
  [
    ["chmod"],
    "opens files to everybody",
    (args) => args.some((arg) => /^0?[0-7]?777$|^(?:a|o|\+|ugo)[a-z]*[+=]?[rx]*w/.test(arg)),
  ],
  [["chown", "chgrp"], "changes the owner of a whole folder", flag("R", "recursive")],
  [["dd"], "writes raw bytes", (args) => args.some((arg) => arg.startsWith("of="))],
  [["fdisk", "parted", "wipefs", "mkswap", "sgdisk"], DISK],
  [
    ["git"],
    "overwrites history on the server",
    git(
      "push",
      (args) =>
        flag("f", "force", "force-with-lease", "mirror")(args) || args.some((arg) => arg.startsWith("+")),
    ),
  ],
  [
    ["git"],
    "deletes a branch on the server",
    git("push", (args) => flag("d", "delete")(args) || args.some((arg) => /^:\w/.test(arg))),
  ],
  [["git"], UNCOMMITTED, git("reset", has("--hard"))],
  [["git"], UNCOMMITTED, git("checkout", (args) => has("--", ".")(args) || flag("f", "force")(args))],
  [["git"], UNCOMMITTED, git("restore", (args) => !args.includes("--staged"))],
  [["git"], UNCOMMITTED, git("stash", has("drop", "clear"))],
  [["git"], "deletes files that git does not know", git("clean", flag("f", "force"))],
  [["git"], "deletes a branch", git("branch", flag("D"))],
  [["git"], "rewrites history", git("filter-branch")],
  [["git"], "rewrites history", git("filter-repo")],
  [
    ["kill"],
    "ends every process of yours",
    (args) => args.includes("-1") && args.at(-1) === "-1" && args.length > 1,
  ],
  [["killall", "pkill"], "ends processes by their name"],
  [["history"], "removes traces", flag("c")],
  [["crontab"], "deletes all scheduled jobs", flag("r")],
  [["shutdown", "reboot", "halt", "poweroff"], "switches the machine off"],
  [["printenv"], "shows the environment, with its secrets"],
  [["env"], "shows the environment, with its secrets", (args) => args.length === 0],
  [
    ["docker", "podman"],
    "deletes containers, images or volumes",
    (args) => args.includes("prune") || (args[0] === "volume" && args.includes("rm")),
  ],
  [
    ["docker", "podman", "docker-compose"],
    "deletes containers, images or volumes",
    (args) => args.includes("down") && flag("v", "volumes")(args),
  ],
  [["kubectl", "helm"], "deletes what runs in a cluster", has("delete", "uninstall")],
  [["terraform", "tofu", "pulumi"], "changes real infrastructure", has("apply", "destroy", "up")],
  [["npm", "pnpm", "yarn", "bun", "cargo", "poetry", "uv"], "publishes a package", first("publish")],
  [["npm"], "takes back a published package", first("unpublish")],
  [["twine", "gem"], "publishes a package", first("upload", "push")],
  [["gh", "glab"], "deletes a repository", (args) => args[0] === "repo" && args[1] === "delete"],
];

const BY_PROGRAM = new Map<string, { why: string; when: (args: string[]) => boolean }[]>();
for (const [programs, why, when = () => true] of RULES) {
  for (const program of programs)
    BY_PROGRAM.set(program, [...(BY_PROGRAM.get(program) ?? []), { why, when }]);
}

/** An option by its letter, also among others behind one hyphen, or by its name. */
function flag(...names: string[]): (args: string[]) => boolean {
  const letters = names.filter((name) => name.length === 1);
  return (args) =>
    args.some((arg) =>
      arg.startsWith("--")
        ? names.includes(arg.slice(2).split("=")[0] ?? "")
        : /^-[A-Za-z]+$/.test(arg) && letters.some((letter) => arg.includes(letter)),
    );
}

function has(...words: string[]): (args: string[]) => boolean {
  return (args) => args.some((arg) => words.includes(arg));
}

function first(...words: string[]): (args: string[]) => boolean {
  return (args) => words.includes(args.find((arg) => !arg.startsWith("-")) ?? "");
}

function isRun(word: string | undefined): boolean {
  return word === "-exec" || word === "-execdir";
}

/** A subcommand of git, whatever options stand in front of it. */
function git(
  subcommand: string,
  when: (args: string[]) => boolean = () => true,
): (args: string[]) => boolean {
  return (args) => {
    const at = args.findIndex((arg, index) => !arg.startsWith("-") && !/^-[cC]$/.test(args[index - 1] ?? ""));
    return args[at] === subcommand && when(args.slice(at + 1));
  };
}
