import type { Config } from "./config.ts";

const secretName = /key|token|secret|passw|credential|auth/i;

/** Everything the configuration and the environment hold that must not appear in a log line. */
export function secretsOf(config: Config, env: NodeJS.ProcessEnv): string[] {
  const { token } = config.telegram;
  const variables = [...Object.entries(env), ...Object.entries(config.claude.env)];
  return [
    token,
    // The half after the colon is the secret one; the other half is the bot's public id.
    token.slice(token.indexOf(":") + 1),
    ...variables.flatMap(([name, value]) => (value !== undefined && isSecret(name, value) ? [value] : [])),
  ];
}

/** Short values, as in `SSH_AUTH_…=1`, are switches; paths are named, not hidden. */
function isSecret(name: string, value: string): boolean {
  return secretName.test(name) && value.length >= 8 && !value.startsWith("/");
}
