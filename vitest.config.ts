import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { configDefaults, defineConfig } from "vitest/config";

/** What is global, or starts something: a test with any of it has a worker of its own. */
const needsOwn =
  /useFakeTimers|vi\.(?:mock|stub|spyOn)|process\.(?:env\b.*\] ?=|chdir|on)|globalThis|node:(?:child_process|http)|spawn|\.launch\(|createReins|mkdtemp|temporaryFolder|writeFile/;
/** The others share one module graph, which is several times faster. */
const shared = globSync("src/**/*.test.ts", { cwd: import.meta.dirname }).filter(
  (file) => !needsOwn.test(readFileSync(join(import.meta.dirname, file), "utf8")),
);

/** No test is about time: this only ends one that hangs, however busy the machine is. */
const patient = { testTimeout: 60_000, hookTimeout: 60_000 };

const setupFiles = ["test/support/loopback-only.ts"];

const covered = { lines: 95, branches: 95, functions: 95, statements: 95 };

export default defineConfig({
  test: {
    // Many tests wait for a process they started: one worker more than there are cores keeps a small machine at work.
    maxWorkers: availableParallelism() + 1,
    globalSetup: ["test/support/built-command.ts"],
    projects: [
      { test: { name: "shared", include: shared, isolate: false, setupFiles, ...patient } },
      {
        test: {
          name: "unit",
          include: ["src/**/*.test.ts", "test/**/*.test.ts"],
          // test/real needs installed agents, test/crash takes long, test/browser needs Chromium; each has a configuration of its own.
          exclude: [...configDefaults.exclude, ...shared, "test/real/**", "test/crash/**", "test/browser/**"],
          setupFiles,
          ...patient,
        },
      },
    ],
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      exclude: ["src/**/*.test.ts"],
      reporter: ["text-summary", "html"],
      thresholds: {
        "src/events/**/*.ts": covered,
        "src/drivers/**/*.ts": covered,
        "src/agents/*/translate/**/*.ts": covered,
        "src/agents/*/translate*.ts": covered,
        "src/agents/*/local/*.ts": covered,
      },
    },
  },
});
