import { defineConfig } from "vitest/config";

// Units are quick and run side by side; journeys start real processes, so they share two workers and get patience.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: ["test/journeys/**"],
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: "journeys",
          include: ["test/journeys/**/*.test.ts"],
          globalSetup: ["test/support/build.ts"],
          maxWorkers: 2,
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
