import { defineConfig } from "vitest/config";

/** The terminal interface in real terminals and in tmux. `npm run test:tui` runs this in isolation; it refuses to run elsewhere. */
export default defineConfig({
  test: {
    name: "tui",
    include: ["test/tui/**/*.test.ts"],
    globalSetup: ["test/support/memory-folder.ts", "test/support/built-command.ts"],
    setupFiles: ["test/real/support/isolated.ts", "test/support/loopback-only.ts", "test/support/patience.ts"],
    // Each test runs a program in a terminal, and the tests of a file run one after the other.
    maxWorkers: 3,
    // These limits only end a hanging test, however busy the machine is. No test measures time.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
