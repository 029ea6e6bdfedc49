/** The text of every file, by its path from the project's root. */
export type Files = ReadonlyMap<string, string>;

const LONGEST_FILE = 300;
const SAYS_NOTHING = /^(?:utils?|helpers?|common|types)\.ts$/;

/** Which folders of src a folder may import; each may import itself. */
const MAY_IMPORT: ReadonlyMap<string, readonly string[]> = new Map([
  ["main", ["app"]],
  ["app", ["claude", "telegram", "store", "core"]],
  ["claude", ["core"]],
  ["telegram", ["core"]],
  ["store", ["core"]],
  ["core", []],
]);

/** Every breach of the house rules about files and imports, as one line each. */
export function breaches(files: Files): string[] {
  const ofSource = [...files].filter(([path]) => path.startsWith("src/"));
  return [
    ...[...files.keys()].flatMap(badName),
    ...ofSource.flatMap(([path, text]) => [...badShape(path, text), ...badImports(path, text, files)]),
    ...cycles(files),
  ];
}

/** What a file imports, also what it only names as a type or loads later. */
export function importsOf(text: string): string[] {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\//g, "").replaceAll(/^\s*\/\/.*$/gm, "");
  const found = [
    ...code.matchAll(/^\s*(?:import|export)\s[^;"'`]*?\bfrom\s*["']([^"']+)["']/gm),
    ...code.matchAll(/^\s*import\s*["']([^"']+)["']/gm),
    ...code.matchAll(/\bimport\(\s*["']([^"']+)["']/g),
  ];
  return found.flatMap(([, name]) => name ?? []);
}

function badName(path: string): string[] {
  return SAYS_NOTHING.test(path.slice(path.lastIndexOf("/") + 1))
    ? [`${path}: the name does not say what is in it`]
    : [];
}

function badShape(path: string, text: string): string[] {
  const lines = text.trimEnd().split("\n").length;
  return [
    ...(lines >= LONGEST_FILE ? [`${path}: ${lines} lines`] : []),
    ...(/^\s*export\s+(?:default\b|\{[^}]*\bas\s+default\b)/m.test(text) ? [`${path}: default export`] : []),
    ...(/^\s*export\s+\*/m.test(text) ? [`${path}: barrel`] : []),
  ];
}

function badImports(path: string, text: string, files: Files): string[] {
  const from = layerOf(path);
  const allowed = MAY_IMPORT.get(from);
  if (allowed === undefined) return [`${path}: belongs to no layer`];
  return importsOf(text).flatMap((name) => {
    if (!name.startsWith(".")) return from === "core" ? [`${path}: core imports ${name}`] : [];
    const target = resolve(path, name);
    if (!files.has(target)) return [`${path}: imports ${target}, which is not there`];
    const to = layerOf(target);
    return to === from || allowed.includes(to) ? [] : [`${path}: ${from} imports ${to} (${target})`];
  });
}

/** `src/app/build.ts` is of "app", `src/main.ts` of "main", and what is outside of src of nothing anybody may import. */
function layerOf(path: string): string {
  const [top, layer = ""] = path.split("/");
  return top === "src" ? layer.replace(/\.ts$/, "") : "outside src";
}

function resolve(from: string, name: string): string {
  const parts = from.split("/").slice(0, -1);
  for (const part of name.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return parts.join("/");
}

/** Each circle of imports once, as the way round it. */
function cycles(files: Files): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, way: readonly string[]): void => {
    const start = way.indexOf(path);
    if (start >= 0) found.push(`cycle: ${[...way.slice(start), path].join(" → ")}`);
    if (start >= 0 || done.has(path)) return;
    for (const name of importsOf(files.get(path) ?? "")) {
      if (name.startsWith(".")) visit(resolve(path, name), [...way, path]);
    }
    done.add(path);
  };
  for (const path of files.keys()) visit(path, []);
  return found;
}
