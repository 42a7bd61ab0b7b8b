import { defineConfig } from "vitest/config";

/** What is killed at random moments, and what runs for long. `npm run test:chaos` runs this inside its isolation. */
export default defineConfig({
  test: {
    name: "chaos",
    include: [
      "test/crash/**/*.test.ts",
      "test/chaos/store-hammer.test.ts",
      "test/chaos/kill.test.ts",
      "test/chaos/lent-files.test.ts",
    ],
    setupFiles: ["test/real/support/isolated.ts"],
    env: { REINS_HAMMER_MS: "60000", REINS_KILLS: "200" },
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});
