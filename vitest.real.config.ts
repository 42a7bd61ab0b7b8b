import { defineConfig } from "vitest/config";

/** Real agents. `npm run test:real` runs this inside its isolation; anywhere else it refuses. */
export default defineConfig({
  test: {
    name: "real",
    include: ["test/real/**/*.test.ts"],
    setupFiles: ["test/real/support/isolated.ts", "test/support/loopback-only.ts"],
    // An agent is a heavy process of its own.
    maxWorkers: 2,
    maxConcurrency: 2,
    // Only ends what hangs; a scenario of the contract ends itself before that.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
