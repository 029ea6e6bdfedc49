import { expect, test } from "vitest";
import { toolView } from "../../src/claude/tools.ts";
import type { JsonObject } from "../../src/core/agent-event.ts";

const view = (tool: string, input: JsonObject) => toolView(tool, input, "/home/me/web");

test("a command is shown as it is, and what else it was given stands below", () => {
  expect(view("Bash", { command: "npm test\nnpm run lint", description: "tests", timeout: 9 })).toEqual({
    kind: "command",
    name: "Bash",
    title: "npm test …",
    body: [
      { text: "npm test\nnpm run lint", language: "bash" },
      { text: '{\n  "timeout": 9\n}', language: "json", label: "Also" },
    ],
  });
});

test("an edit is shown as what goes and what comes, with the path inside the project", () => {
  const input = {
    file_path: "/home/me/web/src/app.ts",
    old_string: "a\nb",
    new_string: "c",
    replace_all: true,
  };
  expect(view("Edit", input)).toEqual({
    kind: "file_change",
    name: "Edit",
    title: "src/app.ts",
    body: [
      { text: "-a\n-b\n+c", language: "diff" },
      { text: '{\n  "replace_all": true\n}', language: "json", label: "Also" },
    ],
  });
});

test.each(["/home/me/website/a.ts", "/etc/passwd", "/home/me/web", "/home/me/web/../x"])(
  "the path %s is outside the project and shown whole",
  (file_path) => {
    expect(view("Write", { file_path, content: "x" }).title).toBe(file_path);
  },
);

test("a file inside the project whose name begins with dots is shown as inside", () => {
  expect(view("Read", { file_path: "/home/me/web/..hidden" }).title).toBe("..hidden");
});

test("several edits are all shown, or none is taken apart", () => {
  const good = { old_string: "a", new_string: "b" };
  expect(view("MultiEdit", { file_path: "x", edits: [good, good] }).body).toEqual([
    { text: "-a\n+b", language: "diff", label: "Edit 1" },
    { text: "-a\n+b", language: "diff", label: "Edit 2" },
  ]);
  const broken = { file_path: "x", edits: [good, { old_string: 1 }] };
  expect(view("MultiEdit", broken).body).toEqual([
    { text: JSON.stringify(broken, undefined, 2), language: "json" },
  ]);
});

test("a tool of an MCP server is named by both, with its arguments", () => {
  const input = { title: "Bug", labels: ["a", { b: 1 }], draft: false, body: "Line 1\nlabels: none" };
  expect(view("mcp__github__create_issue", input)).toEqual({
    kind: "tool",
    name: "MCP",
    title: "github · create_issue",
    body: [
      { text: 'title: Bug\nlabels: ["a",{"b":1}]\ndraft: false' },
      { label: "body", text: "Line 1\nlabels: none" },
    ],
  });
  expect(view("mcp__a__b", {}).body).toEqual([{ text: "{}", language: "json" }]);
});

const diff = "@@ -1,1 +1,1 @@\n-a\n+b";
const preview = { change: { added: 1, removed: 1, diff }, notes: ["Replaces all 2 places"] };

test("a change of a file is its difference, once the file is known", () => {
  const input = { file_path: "/home/me/web/a.ts", old_string: "a", new_string: "b", replace_all: true };
  expect(toolView("Edit", input, "/home/me/web", preview)).toEqual({
    kind: "file_change",
    name: "Edit",
    title: "a.ts",
    change: { added: 1, removed: 1 },
    notes: ["Replaces all 2 places"],
    body: [{ text: diff, language: "diff" }],
  });
});

test("a difference hides nothing of the input that it does not tell itself", () => {
  const edits = [{ old_string: "a", new_string: "b", extra: 1 }];
  const given: [string, JsonObject][] = [
    ["Edit", { file_path: "a", old_string: "a", new_string: "b", content: "only-here" }],
    ["Write", { file_path: "a\nonly-here", content: "b" }],
    ["MultiEdit", { file_path: "a", edits: edits.map((edit) => ({ ...edit, extra: "only-here" })) }],
    ["NotebookEdit", { notebook_path: "a", new_source: "b", cell_id: "c", cell_type: "only-here" }],
  ];
  for (const [tool, input] of given) {
    expect(JSON.stringify(toolView(tool, input, "/", preview).body), tool).toContain("only-here");
  }
});

test("notes without a difference stand above the input as it came", () => {
  const input = { file_path: "a.ts", content: "x" };
  expect(toolView("Write", input, "/", { notes: ["New file, 1 line"] })).toMatchObject({
    notes: ["New file, 1 line"],
    body: [{ text: "x" }],
  });
});

test("a fetch is called by the host that it really goes to", () => {
  const title = (url: string) => view("WebFetch", { url, prompt: "x" }).title;
  expect(title("https://google.com@evil.example:8080/google.com")).toBe("evil.example:8080");
  expect(title("https://аpple.com/")).toBe("xn--pple-43d.com (looks like аpple.com)");
  expect(title("https://xn--mnchen-3ya.de")).toBe("xn--mnchen-3ya.de (looks like münchen.de)");
  expect(title("not an address")).toBe("not an address");
});

test("a search shows its words, and a subagent who it is and what it is to do", () => {
  expect(view("WebSearch", { query: "weather", allowed_domains: ["a.com"] }).body).toEqual([
    { text: "weather" },
    { text: '{\n  "allowed_domains": [\n    "a.com"\n  ]\n}', language: "json", label: "Also" },
  ]);
  expect(view("Task", { description: "look", subagent_type: "Explore", prompt: "Look." }).body).toEqual([
    { label: "Agent", text: "Explore" },
    { label: "Prompt", text: "Look." },
  ]);
});

test("a title holds no secret, and the body is exact", () => {
  const command = "DB_PASSWORD=correcthorse npm start";
  const { title, body } = view("Bash", { command });
  expect(title).toBe("DB_PASSWORD=••••se npm start");
  expect(body[0]?.text).toBe(command);
  const file_path = `/home/me/web/ghp_${"a1B2".repeat(9)}.txt`;
  expect(view("Write", { file_path, content: "" }).title).not.toContain("a1B2a1B2");
  expect(view("Write", { file_path, content: "" }).body.at(-1)?.text).toContain(file_path);
});

test.each([
  ["Write", { file_path: "/home/me/web/a", content: "x" }, "file_change", "a"],
  ["NotebookEdit", { notebook_path: "/home/me/web/a.ipynb", new_source: "1" }, "file_change", "a.ipynb"],
  ["Read", { file_path: "/etc/hosts" }, "tool", "/etc/hosts"],
  ["NotebookRead", { notebook_path: "n.ipynb" }, "tool", "n.ipynb"],
  ["LS", { path: "/home/me/web/src" }, "tool", "src"],
  ["Glob", { pattern: "**/*.ts" }, "tool", "**/*.ts"],
  ["Grep", { pattern: "TODO", path: "src" }, "tool", "TODO"],
  ["WebSearch", { query: "weather" }, "web_search", "weather"],
  ["WebFetch", { url: "https://example.com/a", prompt: "sum up" }, "web_search", "example.com"],
  ["TodoWrite", { todos: [] }, "note", "to-do list"],
  ["TodoRead", {}, "note", "to-do list"],
  ["AskUserQuestion", { questions: [{ question: "Which?" }] }, "note", "Which?"],
  ["ExitPlanMode", { plan: "# Plan" }, "note", "plan"],
  ["Task", { description: "look around", prompt: "Look." }, "tool", "look around"],
  ["Agent", { description: "look around", prompt: "Look." }, "tool", "look around"],
  ["KillShell", { shell_id: "b1" }, "command", "b1"],
  ["Hologram", { size: 3, where: "here" }, "tool", "here"],
])("%s is told by its kind and its most telling field", (tool, input, kind, title) => {
  expect(view(tool, input)).toMatchObject({ kind, title, name: tool });
});

const TOOLS = [
  "Bash",
  "Edit",
  "Write",
  "MultiEdit",
  "NotebookEdit",
  "Read",
  "WebFetch",
  "AskUserQuestion",
  "Task",
];
const WRONG: JsonObject[] = [
  {},
  { command: 7, file_path: null, edits: "x", url: [], questions: [3], notebook_path: {}, prompt: false },
  { command: "", file_path: "  ", edits: [], questions: [], content: 1 },
];

test.each(TOOLS)("%s with an input that does not fit is shown as JSON under its name", (tool) => {
  for (const input of WRONG) {
    expect(view(tool, input)).toMatchObject({ name: tool, title: tool });
    expect(view(tool, input).body[0]?.text).toBe(
      tool === "Bash" && input["command"] === "" ? "" : JSON.stringify(input, undefined, 2),
    );
  }
});

const whole: JsonObject = {
  command: "c",
  content: "c",
  old_string: "o",
  new_string: "n",
  new_source: "s",
  url: "u",
  prompt: "p",
  plan: "p",
  edits: [{ old_string: "o", new_string: "n", note: 1 }],
};

test("a path that goes on behind a line break is shown whole below the title", () => {
  const file_path = "harmless.txt\n/etc/passwd";
  for (const tool of ["Write", "Edit", "MultiEdit"]) {
    expect(view(tool, { ...whole, file_path }).body.at(-1)?.text, tool).toContain(JSON.stringify(file_path));
  }
});

test("nothing of an input is hidden from the person who allows it", () => {
  const secret = "only-here-7f3a";
  for (const tool of [...TOOLS, "Glob", "Grep", "KillShell", "ExitPlanMode", "mcp__a__b", "New"]) {
    expect(JSON.stringify(view(tool, { ...whole, extra: secret }).body), tool).toContain(secret);
  }
});
