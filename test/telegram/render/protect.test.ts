import { expect, test } from "vitest";
import { bold, join } from "../../../src/telegram/render/builder.ts";
import { protect } from "../../../src/telegram/render/protect.ts";
import { shown } from "./shown.ts";

test("words that Telegram would make clickable become code, as far as the word goes", () => {
  const text =
    "see README.md, (src/a.py:12) ./run.sh $HOME/bin @types/node /start_run #tag git@github.com:a/b.git foo.py()";
  expect(shown(protect({ text, entities: [] }))).toMatchInlineSnapshot(`
    "see README.md, (src/a.py:12) ./run.sh $HOME/bin @types/node /start_run #tag git@github.com:a/b.git foo.py()
      code "README.md"
      code "./run.sh"
      code "$HOME/bin"
      code "@types/node"
      code "/start_run"
      code "#tag"
      code "git@github.com:a/b.git"
      code "foo.py""
  `);
});

test("words that Telegram leaves alone stay plain", () => {
  const message = join([
    "src/x.ts Node.js e.g. v1.2.3 /usr/bin/env </div> C# #12 $5 a@b and/or https://example.com/a.",
  ]);
  expect(protect(message)).toEqual(message);
});

test("a style gives way to code inside of it", () => {
  expect(shown(protect(join([bold("read README.md now")])))).toMatchInlineSnapshot(`
    "read README.md now
      bold "read "
      code "README.md"
      bold " now""
  `);
});
