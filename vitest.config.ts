import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

/** Patterns of tests that change global state: such a file gets its own worker. */
const needsOwn = /useFakeTimers|vi\.(?:mock|stub|spyOn)|process\.(?:env\b.*\] ?=|execPath ?=|chdir|on)|globalThis/;
const files = globSync(["src/**/*.test.ts", "test/**/*.test.ts"], {
  cwd: import.meta.dirname,
  // test/real needs installed agents, test/crash takes long, test/browser needs Chromium, test/tui needs tmux and agents; each has its own
  // configuration.
  exclude: ["test/real/**", "test/crash/**", "test/browser/**", "test/tui/**"],
});
/** The other files share a module graph: loading it again for each takes as long as many of the tests. */
const { own = [], shared = [] } = Object.groupBy(files, (file) =>
  needsOwn.test(readFileSync(join(import.meta.dirname, file), "utf8")) ? "own" : "shared",
);

/** These limits only end a hanging test, however busy the machine is. No test measures time. */
const patient = { testTimeout: 180_000, hookTimeout: 180_000, expect: { poll: { timeout: 60_000 } } };

const setupFiles = ["test/support/loopback-only.ts", "test/support/patience.ts"];

const covered = { lines: 95, branches: 95, functions: 95, statements: 95 };

export default defineConfig({
  test: {
    // Many tests wait for a process they started: one worker more than cores keeps a small machine busy.
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
