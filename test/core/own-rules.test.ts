import { expect, test } from "vitest";
import type { Ask, JsonObject } from "../../src/core/agent-event.ts";
import { type OwnRule, type RuleFacts, ruleFor } from "../../src/core/own-rules.ts";
import { anAsk } from "./an-ask.ts";

const project = "/home/me/web";
const inside: RuleFacts = { project, paths: [], leadsOut: false };

function rule(fields: Partial<OwnRule>): OwnRule {
  return { name: "a rule", tool: "*", decision: "allow", ...fields };
}

const at = (...paths: string[]): RuleFacts => ({
  project,
  paths: paths.map((path) => ({ written: path, real: path })),
  leadsOut: paths.some((path) => !`${path}/`.startsWith(`${project}/`)),
});
const edit = (): Ask => anAsk({ tool: "Edit", input: { file_path: "x" } });
const speaks = (one: OwnRule, ask: Ask, facts: RuleFacts = inside): boolean =>
  ruleFor(ask, [one], facts) !== undefined;

test.each([
  ["Edit", ["Edit"]],
  ["*", ["Edit", "edit", "Bash", "mcp__github__create_issue", "mcp__gitlab__x"]],
  ["mcp__github__*", ["mcp__github__create_issue"]],
  ["mcp__*", ["mcp__github__create_issue", "mcp__gitlab__x"]],
])("%s names %j", (tool, fits) => {
  const tools = ["Edit", "edit", "Bash", "mcp__github__create_issue", "mcp__gitlab__x"];
  expect(tools.filter((name) => speaks(rule({ tool }), anAsk({ tool: name })))).toEqual(fits);
});

test("the last rule that fits decides, and no rule is no rule", () => {
  const rules = [
    rule({ name: "first", decision: "deny" }),
    rule({ name: "second", tool: "Edit" }),
    rule({ name: "third", tool: "Write" }),
  ];
  expect(ruleFor(edit(), rules, inside)?.name).toBe("second");
  expect(ruleFor(anAsk(), rules, inside)?.name).toBe("first");
  expect(ruleFor(anAsk(), [], inside)).toBeUndefined();
});

test("relative globs are seen from the project, absolute ones from the root", () => {
  const source = at(`${project}/src/a.ts`);
  for (const paths of [["src/**"], ["lib/**", "src/*.ts"], [`${project}/src/**`], ["/home/**"]])
    expect(speaks(rule({ tool: "Edit", paths }), edit(), source), paths.join()).toBe(true);
  for (const paths of [["lib/**"], ["a.ts"], ["/src/**"], ["home/**"]])
    expect(speaks(rule({ tool: "Edit", paths }), edit(), source), paths.join()).toBe(false);
  expect(speaks(rule({ tool: "LS", paths: ["**"] }), anAsk({ tool: "LS" }), at(project))).toBe(true);
});

test("to allow, every path must fit; to deny or to ask, one is enough", () => {
  const both = at(`${project}/src/a.ts`, `${project}/lib/b.ts`);
  const paths = ["src/**"];
  expect(speaks(rule({ paths, decision: "allow" }), edit(), both)).toBe(false);
  expect(speaks(rule({ paths, decision: "deny" }), edit(), both)).toBe(true);
  expect(speaks(rule({ paths, decision: "ask" }), edit(), both)).toBe(true);
});

test("a rule with paths says nothing about a request without one, nor about a tool whose paths we do not know", () => {
  for (const decision of ["allow", "deny", "ask"] as const) {
    expect(speaks(rule({ paths: ["**"], decision }), edit(), at())).toBe(false);
    const ask = anAsk({ tool: "mcp__files__move", input: { path: "src/a", destination: "/etc/x" } });
    expect(speaks(rule({ paths: ["**"], decision }), ask, at(`${project}/src/a`))).toBe(false);
  }
});

test("a link cannot be used to get an allowance, nor to get round a denial", () => {
  const throughLink: RuleFacts = {
    project,
    paths: [{ written: `${project}/src/link`, real: `${project}/secret/key` }],
    leadsOut: false,
  };
  const speaksThrough = (fields: Partial<OwnRule>) => speaks(rule(fields), edit(), throughLink);
  expect(speaksThrough({ paths: ["src/**"], decision: "allow" })).toBe(false);
  expect(speaksThrough({ paths: ["secret/**"], decision: "allow" })).toBe(true);
  expect(speaksThrough({ paths: ["src/**"], decision: "deny" })).toBe(true);
  expect(speaksThrough({ paths: ["secret/**"], decision: "deny" })).toBe(true);
});

test("what leads out of the project is allowed only by a glob from the root that names it", () => {
  const out = at("/etc/hosts");
  expect(speaks(rule({}), edit(), out)).toBe(false);
  expect(speaks(rule({ paths: ["**"] }), edit(), out)).toBe(false);
  expect(speaks(rule({ paths: ["**", "/etc/**"] }), edit(), out)).toBe(true);
  expect(speaks(rule({ paths: ["/etc/**"] }), edit(), at("/etc/hosts", "/root/.ssh"))).toBe(false);
  expect(speaks(rule({ decision: "deny" }), edit(), out)).toBe(true);
  // Claude itself says that it leads out, though no path of the input does.
  expect(speaks(rule({ paths: ["src/**"] }), edit(), { ...at(`${project}/src/a`), leadsOut: true })).toBe(
    false,
  );
});

test.each([
  ["https://example.com/x", ["example.com"]],
  ["https://EXAMPLE.com./x", ["example.com"]],
  ["http://user@example.com:8080/", ["example.com"]],
  ["https://a.b.example.com", ["*.example.com"]],
  ["https://evil.org/?example.com", []],
  ["https://example.com@evil.org/", []],
  ["https://example.com.evil.org/", []],
  ["https://notexample.com/", []],
  ["file://example.com/etc/passwd", []],
  ["example.com", []],
])("of %s only the host counts", (url, fits) => {
  const fetch = (input: JsonObject) => anAsk({ tool: "WebFetch", input });
  const hosts = ["example.com", "*.example.com"];
  expect(hosts.filter((host) => speaks(rule({ tool: "WebFetch", hosts: [host] }), fetch({ url })))).toEqual(
    fits,
  );
  expect(speaks(rule({ tool: "WebFetch", hosts: ["*"] }), fetch({ address: url }))).toBe(false);
});
