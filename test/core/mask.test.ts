import { expect, test } from "vitest";
import { maskSecrets } from "../../src/core/mask.ts";

// The keys are put together here, so that nobody who scans this file for secrets takes them for real ones.
const random = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0";
const key = (prefix: string, length: number) => prefix + random.repeat(3).slice(0, length);

test.each([
  ["curl https://api.telegram.org/bot123456789:", random.slice(0, 35), "/getMe"],
  ["export ANTHROPIC=", key("sk-ant-", 40), ""],
  ["OpenAI key ", key("sk-proj-", 48), " here"],
  ["git clone with ", key("ghp_", 36), ""],
  ["", key("github_pat_", 60), ""],
  ["", key("glpat-", 20), ""],
  ["", key("xoxb-", 30), ""],
  ["aws configure set x ", `AKIA${random.toUpperCase().slice(0, 16)}`, ""],
  ["", key("AIza", 35), ""],
  ["//host/:_authToken=", key("npm_", 36), ""],
  ["stripe ", key("sk_live_", 24), ""],
  ["", `eyJ${random}.eyJ${random}.${random}`, ""],
  ["curl -H 'Authorization: Bearer ", random, "' https://x"],
  ["Authorization: Basic ", "YW5uOnNlY3JldDE=", ""],
  ["git push https://ann:", "s3cr3t-word", "@example.com/x.git"],
  ["postgres://app:", "hunter2hunter2", "@db:5432/x"],
  ["curl -u ann:", "pa55word", " https://x"],
  ["DB_PASSWORD=", "correcthorse", " npm start"],
  ["+export API_KEY=", "notrandomatall", ""],
  ['  "password": "', "hunter22", '",'],
  ["password: ", "hunter2", ""],
  ["apiKey: '", random, "'"],
  ["deploy --token ", random.slice(0, 16), " now"],
  ["deploy --password=", "hunter22x", " now"],
  ['{\\"client_secret\\": \\"', random.slice(0, 20), '\\"}'],
  ["SIGNING_KEY=", random.slice(0, 20), ""],
])("a secret is hidden and what stands around it stays: %s…%s", (before, secret, after) => {
  const { text, hidden } = maskSecrets(before + secret + after);
  expect(hidden).toBe(1);
  expect(text.startsWith(before.replace(/123456789:$/, ""))).toBe(true);
  expect(text.endsWith(after)).toBe(true);
  expect(text).toContain("••••");
  expect(text).not.toContain(secret);
});

test.each([
  "git show 3f2a9c8b7d6e5f4a3b2c1d0e9f8a7b6c5d4e3f2a",
  "git checkout -b fix/token-refresh",
  "docker run image@sha256:3f2a9c8b7d6e5f4a3b2c1d0e9f8a7b6c5d4e3f2a3f2a9c8b7d6e5f4a3b2c1d0e",
  "curl https://x/123e4567-e89b-42d3-a456-426614174000",
  "MAX_TOKENS=4096 npm test",
  "TOKEN=$GITHUB_TOKEN npm publish",
  'TOKEN="${{ secrets.TOKEN }}"',
  "API_KEY=$(pass show api)",
  "SECRET_FILE=/run/secrets/x; SSH_KEY=~/.ssh/id_rsa",
  "const token = parseToken(input1);",
  "const password = config.passwords2.main;",
  "password: string; token: Token; apiKey?: string",
  "if (token === expectedToken1) return",
  'token: "comment"',
  'label: "Password", type: "password"',
  "monkey: abc123def456ghi789",
  'key: "user-profile-2024-cache"',
  "the password is checked twice, the token 3 times",
  "<div class='sk-folding-cube-animation-wrapper'>",
  "https://example.com:8443/path@2x.png",
  "npm_config_registry=http://localhost",
  "grep -rn 'Authorization: Bearer ' src",
  "echo •••• TOKEN=••••",
])("ordinary text stays as it is: %s", (text) => {
  expect(maskSecrets(text)).toEqual({ text, hidden: 0 });
});

test("the end of a long secret stays, so that two can be told apart; of a short one nothing does", () => {
  const ends = ["abcdef1", "abcdefghi10", "abcdefghijklmnopqrst1234"].map(
    (it) => maskSecrets(`PASSWORD=${it}`).text,
  );
  expect(ends).toEqual(["PASSWORD=••••", "PASSWORD=••••10", "PASSWORD=••••1234"]);
});

test("a private key is hidden, in a file, in a diff and on one line", () => {
  const line = random.repeat(2).slice(0, 64);
  const block = [
    "-----BEGIN RSA PRIVATE KEY-----",
    line,
    `++${line.slice(2)}`,
    "abcd12==",
    "-----END RSA PRIVATE KEY-----",
  ];
  for (const text of [block.join("\n"), block.map((one) => `+${one}`).join("\n"), block.join("\\n")]) {
    const masked = maskSecrets(`before\n${text}\nafter`);
    expect(masked.hidden).toBe(1);
    expect(masked.text).not.toContain(line);
    expect(masked.text).toMatch(
      /^before\n.*BEGIN RSA PRIVATE KEY----- ••••.*END RSA PRIVATE KEY-----\nafter$/s,
    );
  }
});

test("no command can be put where only a secret would be hidden", () => {
  for (const command of ["rm -rf ~", "$(reboot)", "`reboot`", "x;reboot", "x|sh", "x&reboot", "<(curl)"]) {
    for (const text of [
      `PASSWORD=${command}`,
      `curl -u a:${command}`,
      `Authorization: Bearer ${command}`,
      `https://a:${command}@host`,
      `-----BEGIN PRIVATE KEY-----\n${command}\n-----END PRIVATE KEY-----`,
    ]) {
      const words = command.split(/[^a-z]+/).filter((word) => word.length > 2);
      for (const word of words) expect(maskSecrets(text).text, text).toContain(word);
    }
  }
});

test("what is masked already is not masked again", () => {
  const once = maskSecrets(`DB_PASSWORD=correcthorse1 https://a:pa55word@x --token ${random}`);
  expect(once.hidden).toBe(3);
  expect(maskSecrets(once.text)).toEqual({ text: once.text, hidden: 0 });
});

test("a key that never ends is read through once, however its lines could be taken apart", () => {
  for (const line of [
    "+".repeat(64),
    "A".repeat(64),
    "- ".repeat(32),
    `${"+".repeat(16)}${"A".repeat(48)}`,
  ]) {
    const text = `-----BEGIN PRIVATE KEY-----\n${`${line}\n`.repeat(20_000)}`;
    expect(maskSecrets(text)).toEqual({ text, hidden: 0 });
  }
});

test("a text of megabytes is read to its end, whatever it is made of", () => {
  for (const piece of ["x", "token=", "eyJ", "sk-a1", "://a:", "123456:", "-----BEGIN PRIVATE KEY-----\n"]) {
    const end = ` DB_PASSWORD=correcthorse`;
    const { text } = maskSecrets(piece.repeat(2_000_000 / piece.length) + end);
    expect(text.endsWith(" DB_PASSWORD=••••se"), piece).toBe(true);
  }
});
