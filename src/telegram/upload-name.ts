const longest = 100;

/**
 * A file name that arrives as it was sent. grammY writes names without quotes, and Telegram ends such a name at a
 * semicolon and decodes percent signs in it.
 */
export function uploadName(name: string): string {
  const clean = name.replaceAll(/[;"%\\/\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "_").trim();
  // The end is kept, because it tells what kind of file it is.
  const safe = Array.from(clean).slice(-longest).join("");
  return safe.replaceAll(".", "") === "" ? "file.txt" : safe;
}
