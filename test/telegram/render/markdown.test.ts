import { expect, test } from "vitest";
import { renderMarkdown } from "../../../src/telegram/render/markdown.ts";
import { shown } from "./shown.ts";

const rendered = (...lines: string[]) => shown(renderMarkdown(lines.join("\n")));

test("headings are bold, the first level underlined too", () => {
  expect(rendered("# One *x*", "## Two", "text", "###### Six")).toMatchInlineSnapshot(`
    "One x

    Two

    text

    Six
      bold "One "
      underline "One "
      bold "x"
      italic "x"
      underline "x"
      bold "Two"
      bold "Six""
  `);
});

test("emphasis, strong, strikethrough and code, also within each other", () => {
  expect(rendered("*a* **b *c* `d`** ~~e~~ ***f***")).toMatchInlineSnapshot(`
    "a b c d e f
      italic "a"
      bold "b "
      bold "c "
      italic "c"
      code "d"
      strikethrough "e"
      bold "f"
      italic "f""
  `);
});

test("line breaks stay where Claude made them", () => {
  expect(rendered("one", "two  ", "three\\", "four")).toMatchInlineSnapshot(`
    "one
    two
    three
    four"
  `);
});

test("a fence is a code block in its language", () => {
  expect(rendered("```ts", "if (x) {", "\treturn `README.md`;", "}", "```")).toMatchInlineSnapshot(`
    "if (x) {
        return \`README.md\`;
    }
      pre "if (x) {\\n    return \`README.md\`;\\n}" (ts)"
  `);
});

test("a fence without end, as while text streams in, is code already", () => {
  expect(rendered("Look:", "```diff", "+ added")).toMatchInlineSnapshot(`
    "Look:

    + added
      pre "+ added" (diff)"
  `);
});

test("a strange language and an empty fence are left out", () => {
  expect(rendered("```<b>", "x", "```", "```", "```")).toMatchInlineSnapshot(`
    "x
      pre "x" ()"
  `);
});

test("lists are numbered and set in", () => {
  expect(
    rendered(
      "3. three",
      "4. four",
      "   - inner",
      "     - deeper",
      "       and on",
      "   - more",
      "5. five",
      "",
      "   second paragraph",
    ),
  ).toMatchInlineSnapshot(`
    "3. three
    4. four
       ◦ inner
          ▪ deeper
             and on
       ◦ more
    5. five

       second paragraph"
  `);
});

test("code in a list keeps its own indentation", () => {
  expect(
    rendered("- run", "  ```sh", "  a", "    b", "  ```", "- ```", "  only", "  ```"),
  ).toMatchInlineSnapshot(`
    "• run
    a
      b
    •
    only
      pre "a\\n  b" (sh)
      pre "only" ()"
  `);
});

test("tasks have boxes", () => {
  expect(rendered("- [ ] open", "- [x] done", "1. [x] first")).toMatchInlineSnapshot(`
    "☐ open
    ☑ done

    1. ☑ first"
  `);
});

test("a quote is Telegram's own; one inside it, or in a list, has a bar", () => {
  expect(
    rendered("> said", "> > before", "> > > first", ">", "> `x`", "", "- > listed", "  > on"),
  ).toMatchInlineSnapshot(`
    "said

    ▎ before
    ▎
    ▎ ▎ first

    x

    • ▎ listed
       ▎ on
      blockquote "said\\n\\n▎ before\\n▎\\n▎ ▎ first\\n\\nx"
      code "x""
  `);
});

test("a long quote can be folded", () => {
  expect(renderMarkdown("> line\n".repeat(20)).entities).toEqual([
    { type: "expandable_blockquote", offset: 0, length: 99 },
  ]);
});

test("a narrow table is aligned by what the eye sees", () => {
  expect(
    rendered(
      "| Name | Size | x |",
      "|:--|--:|:-:|",
      "| 日本語 | 1 | `a` |",
      "| 👩‍👩‍👧 **b** | 1000 | c |",
      "| é |",
    ),
  ).toMatchInlineSnapshot(`
    "Name   | Size |  x
    -------|------|----
    日本語 |    1 |  a
    👩‍👩‍👧 b   | 1000 |  c
    é      |      |
      pre "Name   | Size |  x\\n-------|------|----\\n日本語 |    1 |  a\\n👩‍👩‍👧 b   | 1000 |  c\\né      |      |" ()"
  `);
});

test("a wide table, or one with links, is a card for each row", () => {
  expect(
    rendered(
      "| Option | What it does when you set it, and why |",
      "|---|---|",
      "| `--all` | ends every process that it finds |",
      "| **none** | |",
      "",
      "| Page |",
      "|---|",
      "| [docs](https://example.com/) |",
    ),
  ).toMatchInlineSnapshot(`
    "Option: --all
    What it does when you set it, and why: ends every process that it finds

    Option: none

    Page: docs
      bold "Option"
      code "--all"
      bold "What it does when you set it, and why"
      bold "Option"
      bold "none"
      bold "Page"
      text_link "docs" → https://example.com/"
  `);
});

test("a wide table without rows shows its head", () => {
  expect(
    rendered("| a long long long long | and a wide wide wide wide |", "|---|---|"),
  ).toMatchInlineSnapshot(`
    "a long long long long
    and a wide wide wide wide
      bold "a long long long long"
      bold "and a wide wide wide wide""
  `);
});

test("links lead where they say; those Telegram would refuse are text with the target as code", () => {
  expect(
    rendered(
      "[docs](https://example.com/a b) <https://example.com> https://example.com/x www.example.com",
      "[docs](<https://example.com/a b>) [**`x`**](https://example.com) [file](src/x.ts#L12) [src/x.ts](src/x.ts)",
      "[good.com](https://evil.com/good.com) [https://good.com](https://good.com/) http://localhost:3000 me@example.com",
      "[ref][1] [unknown][2] [mail](mailto:a@b.com) [](https://example.com)",
      "",
      "[1]: https://example.com/ref",
    ),
  ).toMatchInlineSnapshot(`
    "[docs](https://example.com/a b) https://example.com https://example.com/x www.example.com
    docs x file (src/x.ts#L12) src/x.ts
    good.com (https://evil.com/good.com) https://good.com http://localhost:3000 me@example.com
    ref [unknown][2] mail (mailto:a@b.com) https://example.com
      text_link "www.example.com" → http://www.example.com/
      text_link "docs" → https://example.com/a%20b
      text_link "x" → https://example.com/
      bold "x"
      code "src/x.ts#L12"
      code "src/x.ts"
      code "good.com"
      text_link "https://evil.com/good.com" → https://evil.com/good.com
      code "http://localhost:3000"
      code "me@example.com"
      text_link "ref" → https://example.com/ref
      code "mailto:a@b.com"
      text_link "https://example.com" → https://example.com/"
  `);
});

test("images are links", () => {
  expect(
    rendered("![A cat](https://example.com/cat.png) ![](https://example.com/x.png) ![local](cat.png)"),
  ).toMatchInlineSnapshot(`
    "🖼 A cat 🖼 image 🖼 local (cat.png)
      text_link "🖼 A cat" → https://example.com/cat.png
      text_link "🖼 image" → https://example.com/x.png
      code "cat.png""
  `);
});

test("footnotes have numbers", () => {
  expect(
    rendered("So[^1] it is[^note].", "", "[^1]: Because.", "[^note]: First.", "", "    Second."),
  ).toMatchInlineSnapshot(`
    "So[1] it is[note].

    [1] Because.

    [note] First.

       Second."
  `);
});

test("HTML is shown as it is written", () => {
  expect(
    rendered("a <b>bold</b> &lt; <!-- hidden -->", "", "<details>", "<summary>x</summary>", "</details>"),
  ).toMatchInlineSnapshot(`
    "a <b>bold</b> < <!-- hidden -->

    <details>
    <summary>x</summary>
    </details>"
  `);
});

test("a rule is a line", () => {
  expect(rendered("a", "", "---", "", "b")).toMatchInlineSnapshot(`
    "a

    ──────────

    b"
  `);
});

test("words that Telegram would make clickable are code, wherever styles begin and end", () => {
  expect(
    rendered("See README.md, **foo.py** and src/x.ts; set $HOME, @types/node, /start_run. README*.md*"),
  ).toMatchInlineSnapshot(`
    "See README.md, foo.py and src/x.ts; set $HOME, @types/node, /start_run. README*.md*
      code "README.md"
      code "foo.py"
      code "$HOME"
      code "@types/node"
      code "/start_run""
  `);
});

test("hidden characters are visible", () => {
  expect(rendered("a\u202Eb `c\u200Bd`", "", "```", "\u001B[0m", "```")).toMatchInlineSnapshot(`
    "a⟨U+202E⟩b c⟨U+200B⟩d

    ⟨ESC⟩[0m
      code "c⟨U+200B⟩d"
      pre "⟨ESC⟩[0m" ()"
  `);
});

test("what only defines something is shown if nothing uses it", () => {
  expect(rendered("Fine.", "", "[//]: # (a remark)")).toMatchInlineSnapshot(`
    "Fine.

    [//]: # a remark
      code "#""
  `);
});

test.each([
  ["10,000 quotes", `${">".repeat(10_000)} deep`],
  ["10,000 lists", `${"- ".repeat(10_000)}deep`],
  ["10,000 brackets", "[".repeat(10_000)],
  ["10,000 emphases", "*a **b ".repeat(4000).trim()],
  ["a megabyte", "Some words of foo.py. ".repeat(50_000).trim()],
])("%s are shown as written", (_, markdown) => {
  expect(renderMarkdown(markdown).text).toBe(markdown);
});
