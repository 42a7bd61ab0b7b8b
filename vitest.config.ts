import { configDefaults, defineConfig } from "vitest/config";

/** Rooms without I/O or global state: their tests share one module graph, which is several times faster. */
const pure = ["src/events/**/*.test.ts", "src/view/**/*.test.ts"];

/** No test is about time: this only ends one that hangs, however busy the machine is. */
const patient = { testTimeout: 60_000, hookTimeout: 60_000 };

const covered = { lines: 95, branches: 95, functions: 95, statements: 95 };

export default defineConfig({
  test: {
    // By default one core is left free, which is half of a small machine.
    maxWorkers: "100%",
    projects: [
      { test: { name: "pure", include: pure, isolate: false, ...patient } },
      {
        test: {
          name: "unit",
          include: ["src/**/*.test.ts", "test/**/*.test.ts"],
          // test/real needs installed agents, test/crash takes long; each has a configuration of its own.
          exclude: [...configDefaults.exclude, ...pure, "test/real/**", "test/crash/**"],
          setupFiles: ["test/support/loopback-only.ts"],
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
