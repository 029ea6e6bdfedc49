import type { Danger } from "./view.ts";

/** What a path alone gives away: keys, secrets, and files that something runs or obeys by itself. */
export function pathDanger(path: string, use: "reads" | "writes" | "names"): Danger[] {
  const dangers: Danger[] = [];
  if (LOGINS.test(path)) dangers.push({ why: "touches keys or logins", what: path });
  else if (ENV_FILE.test(path)) dangers.push({ why: "touches a file of secrets", what: path });
  if (use === "writes") {
    for (const [obeyed, why] of OBEYED) if (obeyed.test(path)) dangers.push({ why, what: path });
  }
  return dangers;
}

/** The beginning of a name in a path: nothing, a slash, or what stands before a path in a command. */
const START = String.raw`(?:^|[/~=:@"'\s])`;

const LOGINS = new RegExp(
  `${START}(?:\\.ssh(?:/|$)|\\.gnupg(?:/|$)|\\.aws(?:/|$)|\\.kube(?:/|$)|\\.docker/config|\\.netrc|\\.pgpass|\\.npmrc|\\.pypirc|\\.git-credentials|\\.claude/\\.credentials|\\.config/(?:gh|gcloud)(?:/|$)|id_(?:rsa|dsa|ecdsa|ed25519)|etc/(?:shadow|sudoers))`,
);
/** Examples of such a file hold no secrets. */
const ENV_FILE = new RegExp(
  `${START}\\.env(?:\\.(?!example|sample|template|dist|defaults)[\\w-]+)*(?![\\w.-])`,
);

const OBEYED: readonly [RegExp, string][] = [
  [/(?:^|\/)\.git\/(?:hooks\/|config$)/, "changes what git runs by itself"],
  [/(?:^|\/)(?:\.claude\/settings[\w.]*\.json|\.mcp\.json)$/, "changes what Claude may do"],
  [
    /(?:^|\/)\.(?:bashrc|bash_profile|profile|zshrc|zprofile|zshenv|config\/fish\/config\.fish)$/,
    "changes what every new shell runs",
  ],
  [/^\/etc\/|(?:^|\/)\.config\/(?:systemd|autostart)\//, "changes the system's own settings"],
];
