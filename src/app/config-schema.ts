import { z } from "zod";
import { ruleTable } from "./config-rules.ts";

/** What is allowed without asking unless the owner says otherwise: nothing that writes, runs or reaches a chosen URL. */
const defaultAutoApprove: readonly string[] = [
  "Read",
  "Grep",
  "Glob",
  "LS",
  "NotebookRead",
  "BashOutput",
  "TodoWrite",
  "TodoRead",
  "TaskCreate",
  "TaskGet",
  "TaskList",
  "TaskUpdate",
  "WebSearch",
];

const permissionModes = ["default", "acceptEdits", "plan", "auto", "dontAsk"] as const;

/** Telegram itself, anonymous group admins, and people who write as a channel: shared by many, so never one person. */
const serviceIds = new Set([777000, 1087968824, 136817688]);

const howToFindYourId =
  "To find your own id, write to your bot and read message.from.id at <api_root>/bot<token>/getUpdates.";

const flag = (error = "must be true or false, without quotes.") => z.boolean({ error });
const words = (error: string) => z.string({ error }).min(1, { error });
const amount = (unit: "seconds" | "minutes") =>
  z
    .number({ error: `must be a number of ${unit}, without quotes.` })
    .positive({ error: "must be more than 0." });
const rules = (key: string) =>
  z.array(ruleTable, { error: `must be tables: write [[${key}]], in double brackets.` }).default([]);

const userId = z
  .int({ error: "must be a Telegram user id: a whole number, without quotes." })
  .refine((id) => id > 0, {
    error: ({ input }) =>
      `(${String(input)}) is the id of a group or channel, not of a person. ${howToFindYourId}`,
  })
  .refine((id) => !serviceIds.has(id), {
    error: ({ input }) =>
      `(${String(input)}) is one of Telegram's service ids, which many people share. ${howToFindYourId}`,
  });

const approversTable = z.strictObject(
  {
    chat: z
      .int({ error: "must be the id of a group: a whole number, without quotes, as -1001234567890." })
      .refine((id) => id < 0, {
        error: ({ input }) =>
          `(${String(input)}) is not the id of a group, which is below 0. In a private chat there is nobody else.`,
      }),
    users: z
      .array(userId, { error: "must be a list of Telegram user ids, as users = [111]." })
      .min(1, { error: "is empty, so nobody could answer there. Add a user id, as [111]." }),
  },
  { error: "must be a table: write [[telegram.approvers]], in double brackets, and its keys below." },
);

const telegramTable = z.strictObject(
  {
    token: words("must be the bot's token, in quotes.").optional(),
    token_file: words("must be the path of a file, in quotes.").optional(),
    api_root: words('must be a URL in quotes, as "https://api.telegram.org".').default(
      "https://api.telegram.org",
    ),
    allowed_users: z
      .array(userId, {
        error: ({ input }) =>
          input === undefined
            ? `is missing, so nobody could use the bot. Add your own Telegram user id, as allowed_users = [111]. ${howToFindYourId}`
            : "must be a list of Telegram user ids, as allowed_users = [111].",
      })
      .min(1, {
        error: `is empty, so nobody could use the bot. Add your own Telegram user id, as [111]. ${howToFindYourId}`,
      }),
    approvers: z
      .array(approversTable, { error: "must be tables: write [[telegram.approvers]], in double brackets." })
      .default([]),
  },
  { error: "must be a table: write [telegram] and its keys below." },
);

const command = 'must be a name or a path in quotes, as "claude", or a list of them, as ["node", "cli.js"].';

const variableName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, {
    error: "is not a name for an environment variable. Use letters, digits and _ only.",
  })
  .refine((name) => !name.startsWith("SIGNOFF_"), {
    error: "is one of the marks by which Signoff finds its own processes. Remove it.",
  });

const claudeTable = z.strictObject(
  {
    command: z
      .union([z.string().min(1), z.tuple([z.string().min(1)], z.string())], { error: command })
      .default("claude"),
    model: words('must be a model\'s name in quotes, as "sonnet".').optional(),
    permission_mode: z
      .enum(permissionModes, {
        error: ({ input }) =>
          input === "bypassPermissions"
            ? "cannot be bypassPermissions. To run without asking, set dangerously_skip_permissions = true instead."
            : `must be one of ${permissionModes.map((mode) => `"${mode}"`).join(", ")}.`,
      })
      .default("default"),
    allowed_tools: z
      .array(words('must be a tool or a rule in quotes, as "Bash(git log:*)".'), {
        error: 'must be a list of tools or rules, as ["Bash(git log:*)"].',
      })
      .default([]),
    dangerously_skip_permissions: flag().default(false),
    use_api_billing: flag().default(false),
    idle_minutes: amount("minutes").default(15),
    env: z
      .record(variableName, z.string({ error: "must be text in quotes." }), {
        error: "must be a table: write [claude.env] and the variables below.",
      })
      .default({}),
  },
  { error: "must be a table: write [claude] and its keys below." },
);

const toolName = z
  .string({ error: "must be a tool's name in quotes." })
  .regex(/^[A-Za-z][\w-]*$/, {
    error: ({ input }) =>
      `(${JSON.stringify(input)}) is not the name of one tool. Rules such as "Bash(git log:*)" belong in claude.allowed_tools.`,
  })
  .refine((tool) => tool !== "ExitPlanMode" && tool !== "AskUserQuestion", {
    error: ({ input }) => `(${JSON.stringify(input)}) always needs a person. Remove it.`,
  });

/** Looked at as a whole, so that the sentence is about the list and not about what is missing in it. */
function isCommand(value: unknown): boolean {
  return Array.isArray(value) && value.every((word) => typeof word === "string") && Boolean(value[0]);
}

const approvalsTable = z.strictObject(
  {
    auto_approve: z
      .array(toolName, { error: 'must be a list of tools, as ["Read", "Grep"].' })
      .default([...defaultAutoApprove]),
    command: z
      .custom<[string, ...string[]]>(isCommand, {
        error: 'must be a list of a program and its arguments, as ["/usr/local/bin/policy"].',
      })
      .optional(),
    command_seconds: amount("seconds").default(10),
    remind_minutes: amount("minutes").optional(),
    expire_minutes: amount("minutes").optional(),
    rules: rules("approvals.rules"),
  },
  { error: "must be a table: write [approvals] and its keys below." },
);

const projectTable = z.strictObject(
  {
    path: words('must be the path of a folder, as path = "/the/folder".'),
    trust: flag().default(false),
    rules: rules("projects.NAME.rules"),
  },
  { error: 'must be a table: write [projects.NAME] and path = "…" below.' },
);

const addAProject = 'Add a table [projects.NAME] with path = "/the/folder".';

const projectName = z.string().regex(/^[A-Za-z0-9_-]{1,32}$/, {
  error: "is not a name for a project. Use 1 to 32 letters, digits, _ or -.",
});

/** The configuration's whole shape, as written in the file. */
export const configTable = z.strictObject({
  state_dir: words("must be the path of a folder, in quotes.").optional(),
  default_project: words("must be the name of a project, in quotes.").optional(),
  // A missing table is read as an empty one, so that the keys missing in it are named.
  telegram: telegramTable.prefault({} as z.input<typeof telegramTable>),
  claude: claudeTable.prefault({}),
  approvals: approvalsTable.prefault({}),
  projects: z
    .record(projectName, projectTable, {
      error: ({ input }) =>
        input === undefined
          ? `is missing, so Claude has no folder to work in. ${addAProject}`
          : `must hold a table for each project. ${addAProject}`,
    })
    .refine((projects) => Object.keys(projects).length > 0, { error: `is empty. ${addAProject}` }),
});

/** The one key that `signoff stop` needs; it must work with a configuration that could not start a bot. */
export const stateDirTable = z.object({ state_dir: configTable.shape.state_dir });

export type ConfigTable = z.output<typeof configTable>;

/** Every key that may be written, by its table; the top level is "", and `projects` stands for each one of them. */
export const knownKeys: Readonly<Record<string, readonly string[]>> = {
  "": Object.keys(configTable.shape),
  telegram: Object.keys(telegramTable.shape),
  claude: Object.keys(claudeTable.shape),
  approvals: Object.keys(approvalsTable.shape),
  projects: Object.keys(projectTable.shape),
};

/** The same for the tables of which there can be several, by the last word of their name. */
export const knownEntryKeys: Readonly<Record<string, readonly string[]>> = {
  approvers: Object.keys(approversTable.shape),
  rules: Object.keys(ruleTable.shape),
};
