import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** What takes minutes, longest first: begun last, one of them would be the end of the run with a worker that has nothing to do. */
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

/** Real agents. `npm run test:real` runs this inside its isolation; anywhere else it refuses. */
export default defineConfig({
  test: {
    name: "real",
    include: ["test/real/**/*.test.ts"],
    setupFiles: ["test/real/support/isolated.ts", "test/support/loopback-only.ts"],
    sequence: { sequencer: LongestFirst },
    // An agent is a heavy process of its own.
    maxWorkers: 2,
    maxConcurrency: 2,
    // Only ends what hangs; a scenario of the contract ends itself before that.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
