/** Every denial of ours begins so; Claude hands the words back as the result of the tool, and so it is known again. */
const OPENING = "The user denied this";

/** What Claude reads when a person, or the policy in their name, denies a tool. */
export function denial(words: string): string {
  return `${OPENING}. ${words}`;
}

/** Whether the result of a tool says that it was denied, in our words or in Claude's own. */
export function isDenial(output: string): boolean {
  return output.startsWith(OPENING) || output.startsWith("The user doesn't want to proceed");
}
