import { defineConfig } from "vitest/config";

/** The terminal interface in real terminals and in tmux. `npm run test:tui` runs this inside its isolation; anywhere else it refuses. */
export default defineConfig({
  test: {
    name: "tui",
    include: ["test/tui/**/*.test.ts"],
    globalSetup: ["test/support/memory-folder.ts", "test/support/built-command.ts"],
    setupFiles: ["test/real/support/isolated.ts", "test/support/loopback-only.ts", "test/support/patience.ts"],
    // Each test is a program in a terminal, and the tests of a file run one after the other.
    maxWorkers: 3,
    // No test is about time: this only ends one that hangs, however busy the machine is.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
