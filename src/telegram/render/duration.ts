/** A duration as people say it: `12 s`, `1m 3s`, `2h 5m`, `3d 4h`. */
export function humanDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor((Number.isFinite(ms) ? ms : 0) / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return pair(minutes, "m", seconds % 60, "s");
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return pair(hours, "h", minutes % 60, "m");
  return pair(Math.floor(hours / 24), "d", hours % 24, "h");
}

/** A running time that changes seldom, because every change of it is an edit that Telegram counts. */
export function coarseDuration(ms: number): string {
  const step = ms < minute ? 10_000 : ms < 10 * minute ? minute / 2 : minute;
  return humanDuration(Math.floor(ms / step) * step);
}

/** The time of day, `14:03`, where the reader is; the machine's own zone unless one is given. */
export function clockTime(at: number, timeZone?: string): string {
  const zone = timeZone === undefined ? {} : { timeZone };
  return new Intl.DateTimeFormat("en-GB", {
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    ...zone,
  }).format(at);
}

/** The day and the time of day: `3 Mar 14:03`. */
export function dayAndTime(at: number, timeZone?: string): string {
  const zone = timeZone === undefined ? {} : { timeZone };
  const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", ...zone }).format(at);
  return `${day} ${clockTime(at, timeZone)}`;
}

const minute = 60_000;

function pair(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit} ${small}${smallUnit}`;
}
