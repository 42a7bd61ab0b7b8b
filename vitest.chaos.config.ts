import { defineConfig } from "vitest/config";

/** Tests that kill processes at random moments, and long tests. `npm run test:chaos` runs this in isolation. */
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
