import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Tests that take minutes, longest first: a long test that starts last would leave the other worker idle. */
const long = [
  "failure-matrix",
  "opencode/contract",
  "policy-matrix",
  "claude-acp/contract",
  "qwen/contract",
  "gemini/contract",
  "copilot/contract",
  "pi/contract",
  "claude/contract",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = long.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return place === -1 ? long.length : place;
    };
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}

/** Real agents. `npm run test:real` runs this in isolation; it refuses to run elsewhere. */
export default defineConfig({
  test: {
    name: "real",
    include: ["test/real/**/*.test.ts"],
    setupFiles: ["test/real/support/isolated.ts", "test/support/loopback-only.ts"],
    sequence: { sequencer: LongestFirst },
    // An agent is a heavy process.
    maxWorkers: 2,
    maxConcurrency: 2,
    // These limits only end a hanging test; a scenario of the contract ends earlier.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
