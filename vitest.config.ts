import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

/** What changes more than the test's own: a file with any of it has a worker of its own. */
const needsOwn = /useFakeTimers|vi\.(?:mock|stub|spyOn)|process\.(?:env\b.*\] ?=|execPath ?=|chdir|on)|globalThis/;
const files = globSync(["src/**/*.test.ts", "test/**/*.test.ts"], {
  cwd: import.meta.dirname,
  // test/real needs installed agents, test/crash takes long, test/browser needs Chromium, test/tui needs tmux and agents; each has a configuration of its own.
  exclude: ["test/real/**", "test/crash/**", "test/browser/**", "test/tui/**"],
});
/** The others share a module graph, whatever files, servers and processes they have: loading it again for each takes as long as many of the tests. */
const { own = [], shared = [] } = Object.groupBy(files, (file) =>
  needsOwn.test(readFileSync(join(import.meta.dirname, file), "utf8")) ? "own" : "shared",
);

/** No test is about time: this only ends one that hangs, however busy the machine is. */
const patient = { testTimeout: 180_000, hookTimeout: 180_000, expect: { poll: { timeout: 60_000 } } };

const setupFiles = ["test/support/loopback-only.ts", "test/support/patience.ts"];

const covered = { lines: 95, branches: 95, functions: 95, statements: 95 };

export default defineConfig({
  test: {
    // Many tests wait for a process they started: one worker more than there are cores keeps a small machine at work.
    maxWorkers: availableParallelism() + 1,
    globalSetup: ["test/support/memory-folder.ts", "test/support/built-command.ts"],
    projects: [
      { test: { name: "shared", include: shared, isolate: false, setupFiles, ...patient } },
      { test: { name: "own", include: own, setupFiles, ...patient } },
    ],
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      exclude: ["src/**/*.test.ts"],
      reporter: ["text-summary", "html"],
      thresholds: {
        "src/events/**/*.ts": covered,
        "src/protocols/**/*.ts": covered,
        "src/core/permissions/*.ts": covered,
        "src/core/policy/*.ts": covered,
        "src/core/policy/shell/*.ts": covered,
        "src/core/session/*.ts": covered,
        "src/workspace/*.ts": covered,
        "src/agents/shared/failures/*.ts": covered,
        "src/agents/*/translate/**/*.ts": covered,
        "src/agents/*/translate*.ts": covered,
        "src/agents/cursor/{acp,print}/*.ts": covered,
        "src/agents/cursor/hooks/*.ts": covered,
        "src/agents/cursor-cloud/client*.ts": covered,
      },
    },
  },
});
