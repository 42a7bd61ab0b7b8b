/** kill -9 at 20 random moments of sessions with the real Claude Code and a scripted model. Run by `npm run test:chaos`. */
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { openStore } from "../../src/store/index.ts";
import { scenarioPrompt } from "../../src/testing/index.ts";
import { expectNone } from "../real/support/left.ts";
import { realAgent } from "../real/support/real-agent.ts";
import { crash, expectRecovered } from "../support/crash.ts";
import { seededRandom } from "../support/random.ts";

const random = seededRandom();
const prompts = [
  ["full", scenarioPrompt("long-shell")],
  ["full", scenarioPrompt("write", "notes.txt")],
  ["ask", scenarioPrompt("write", "notes.txt")],
  ["ask", scenarioPrompt("slow-text")],
  ["full", scenarioPrompt("two-tools")],
] as const;
const murders = Array.from({ length: 20 }, (_, number) => {
  const [mode, prompt] = prompts[number % prompts.length]!;
  return { number, mode, prompt, line: 1 + random.below(12), ms: random.below(400) };
});

test.each(murders)(
  `kill $number (REINS_TEST_SEED=${random.seed}): $ms ms after line $line of $prompt in mode $mode`,
  { timeout: 120_000 },
  async ({ mode, prompt, line, ms }) => {
    const real = await realAgent("claude");
    const folder = join(real.home, "kept");
    const when = async (_line: string, count: number): Promise<boolean> => {
      if (count < line) return false;
      await setTimeout(ms);
      return true;
    };
    const crashed = await crash({
      store: folder,
      cwd: real.cwd,
      agent: "claude",
      mode,
      prompt,
      env: real.env,
      when,
      afterMs: 8_000,
    });
    await expectNone(real.home, () => true);
    using store = openStore({ folder });
    const reins = real.another({ store });
    await expectRecovered(crashed, store, reins, scenarioPrompt("text"));
    expect(crashed.id).toBeDefined();
    await reins.close();
  },
);
