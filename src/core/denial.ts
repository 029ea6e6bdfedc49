/** Every denial of ours begins so; Claude hands the words back as the result of the tool, and so it is known again. */
const OPENING = "The user denied this";
const UNANSWERED = "Nobody answered within";

/** What Claude reads when a person, or the policy in their name, denies a tool. */
export function denial(words: string): string {
  return `${OPENING}. ${words}`;
}

/** What Claude reads when a request was denied because its time was up. */
export function unanswered(minutes: number): string {
  return `${UNANSWERED} ${inMinutes(minutes)}, so this was denied. Do not try it in another way: finish what needs no answer, then say what you still need.`;
}

/** `1 minute`, `5 minutes`. */
export function inMinutes(minutes: number): string {
  return `${minutes} ${minutes === 1 ? "minute" : "minutes"}`;
}

/** Whether the result of a tool says that it was denied, in our words or in Claude's own. */
export function isDenial(output: string): boolean {
  return [OPENING, UNANSWERED, "The user doesn't want to proceed"].some((words) => output.startsWith(words));
}
