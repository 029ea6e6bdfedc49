import { defineConfig } from "vitest/config";

// Units are quick and come first; journeys start real processes, so they share two workers and get patience.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: ["test/journeys/**"],
          testTimeout: 30_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: "journeys",
          include: ["test/journeys/**/*.test.ts"],
          globalSetup: ["test/support/build.ts"],
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
