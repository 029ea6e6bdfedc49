import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { median } from "./side-by-side.ts";

/** What a process holds, in bytes: all of it, the part that is its own and no file's, and the most it ever held. */
export type Memory = { rss: number; anon: number; peak: number };

const SAMPLES = 20;
const SAMPLE_EVERY_MS = 250;

/** What a process holds over the next few seconds, in the middle of many samples. */
export async function memoryOf(pid: number): Promise<Memory> {
  const samples: Memory[] = [];
  while (samples.length < SAMPLES) {
    samples.push(memoryNow(pid));
    await delay(SAMPLE_EVERY_MS);
  }
  return {
    rss: median(samples.map(({ rss }) => rss)),
    anon: median(samples.map(({ anon }) => anon)),
    peak: memoryNow(pid).peak,
  };
}

/** What a process holds at this moment, as Linux tells it. */
export function memoryNow(pid: number): Memory {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const read = (name: string): number =>
    1024 * Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? Number.NaN);
  return { rss: read("VmRSS"), anon: read("RssAnon"), peak: read("VmHWM") };
}
