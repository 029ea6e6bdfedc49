/** How urgent something said to Telegram is; the first goes first. */
export const lanes = ["request", "answer", "progress"] as const;
export type Lane = (typeof lanes)[number];
