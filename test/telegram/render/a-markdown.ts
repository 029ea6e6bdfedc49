import type { Chance } from "../../support/random.ts";

/** An answer as Claude writes them, of about the given length, with everything Markdown has in it. */
export function aMarkdown(random: Chance, length: number): string {
  const blocks: string[] = [];
  let total = 0;
  while (total < length) {
    const block = aBlock(random, 2);
    blocks.push(block);
    total += block.length + 2;
  }
  return blocks.join("\n\n");
}

const WORDS = [
  ..."the a build test error fix now run file of to in with and é 日本語 😀 👩‍👩‍👧 naïve Straße".split(" "),
  ..."README.md foo.py src/x.ts @types/node $HOME $PATH:/usr/bin /start_run ./a.sh ~/x.sh socket.io #tag C# 1.2.3.4".split(
    " ",
  ),
  ..."user@host.com https://example.com/a_b?x=1 http://localhost:3000 www.example.org e.g. Node.js v1.2.3 a*b x_y_z".split(
    " ",
  ),
  ..."<div> </b> &amp; \\* [x] ![ ]( ** _ ~~ ` | > 12:30 $5 @me # * - + 1) \u202E \u200B \u001B[31m \t".split(
    " ",
  ),
];
const TARGETS = [
  ..."https://example.com/x src/x.ts:12 ./a.md #part https://localhost:3000 mailto:a@b.com README.md".split(
    " ",
  ),
  ..."http://münchen.example/ä https://evil.example/good.com ftp://a.com/x javascript:alert(1) https://a.com:99999 <>".split(
    " ",
  ),
];

function words(random: Chance, most: number): string {
  return Array.from({ length: 1 + random.below(most) }, () => random.pick(WORDS)).join(" ");
}

function inline(random: Chance): string {
  const some = words(random, 8);
  const kinds = [
    some,
    some,
    `**${some}**`,
    `*${some}*`,
    `***${some}***`,
    `~~${some}~~`,
    `\`${some}\``,
    `[${some}](${random.pick(TARGETS)})`,
    `[${random.pick(WORDS)}](${random.pick(TARGETS)})`,
    `![${some}](${random.pick(TARGETS)})`,
    `<${random.pick(TARGETS)}>`,
    `**bold with \`code\` and *italic* ${some}**`,
    `${some}[^1]  \n`,
  ];
  return random.pick(kinds);
}

function paragraph(random: Chance): string {
  return Array.from({ length: 1 + random.below(5) }, () => inline(random)).join(
    random.pick([" ", " ", "", "\n"]),
  );
}

function indented(text: string, first: string, rest: string): string {
  return first + text.replaceAll("\n", `\n${rest}`);
}

function aBlock(random: Chance, depth: number): string {
  const inner = () => (depth > 0 ? aBlock(random, depth - 1) : paragraph(random));
  const times = <Item>(make: (index: number) => Item) =>
    Array.from({ length: 1 + random.below(4) }, (_, index) => make(index));
  const cell = () => inline(random).replaceAll(/[|\n]/g, " ");
  switch (random.below(10)) {
    case 0:
      return `${"#".repeat(1 + random.below(6))} ${words(random, 6)}`;
    case 1:
      return `\`\`\`${random.pick(["ts", "", "c++", "diff", "a b"])}\n${times(() => words(random, 40)).join("\n  \n\tx ")}\n\`\`\``;
    case 2:
      return times(() => indented(inner(), "- ", "  ")).join(random.pick(["\n", "\n\n"]));
    case 3:
      return times((index) => indented(inner(), `${index + 3}. `, "   ")).join("\n");
    case 4:
      return times(() => indented(paragraph(random), random.pick(["- [ ] ", "- [x] "]), "  ")).join("\n");
    case 5:
      return indented([inner(), inner()].join("\n\n"), "> ", "> ");
    case 6:
      return [`|${cell()}|${cell()}|`, "|:-:|--:|", ...times(() => `|${cell()}|${cell()}|`)].join("\n");
    case 7:
      return random.pick([
        "---",
        `<details>\n${words(random, 5)}\n</details>`,
        "[^1]: A note.\n\n    More of it.",
        "Title\n===",
      ]);
    default:
      return paragraph(random);
  }
}
