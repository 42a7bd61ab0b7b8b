/** kill -9 at 80 random moments of sessions with the demo agent. Run by `npm run test:chaos`. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createReins } from "../../src/core/reins.ts";
import { openStore } from "../../src/store/index.ts";
import { Stage } from "../chaos/scene.ts";
import { crash, expectRecovered } from "../support/crash.ts";
import { nothingLeft } from "../support/leftovers.ts";
import { seededRandom } from "../support/random.ts";

const kills = 80;
const atOnce = 4;

let stage: Stage;
beforeAll(() => void (stage = new Stage()));
afterAll(() => stage[Symbol.dispose]());

test(`loses no shown event, leaves no process and can resume after ${kills} kills`, { timeout: 600_000 }, async () => {
  const random = seededRandom();
  const prompts: readonly (readonly [string, string])[] = [
    ["full", `say hello; stream 300; think hard; run ${stage.leaves}; write a.txt one; stream 100`],
    ["full", `big 200000; run ${stage.stubborn}`],
    ["full", 'subagent "write c.txt three; list; stream 50"; background 200; stream 200'],
    ["ask", "stream 50; write a.txt one; stream 50"],
    ["ask", "say first; ask which?; stream 50"],
  ];
  const murders = Array.from({ length: kills }, (_, number) => {
    const [mode, prompt] = random.pick(prompts);
    const byLine = random.below(3) > 0;
    return {
      number,
      mode,
      prompt,
      line: byLine ? 1 + random.below(120) : undefined,
      ms: random.below(byLine ? 15 : 900),
    };
  });
  let came = 0;
  const worker = async (): Promise<void> => {
    for (let murder = murders.shift(); murder !== undefined; murder = murders.shift()) {
      const { number, mode, prompt, line, ms } = murder;
      const home = join(stage.folder, `kept-${number}-`);
      const cwd = join(home, "work");
      mkdirSync(cwd, { recursive: true });
      const env = { PATH: process.env["PATH"], HOME: home, REINS_HOME: home };
      const when = async (_line: string, count: number): Promise<boolean> => {
        if (count < (line ?? 0)) return false;
        await setTimeout(ms);
        return true;
      };
      try {
        const crashed = await crash({
          store: home,
          cwd,
          agent: "demo",
          mode,
          prompt,
          env,
          when: line === undefined ? undefined : when,
          afterMs: line === undefined ? ms + 100 : 3_000,
        });
        await nothingLeft(home);
        using store = openStore({ folder: home });
        await using reins = createReins({ env, store });
        await expectRecovered(crashed, store, reins, "say again");
        if (crashed.shown.length > 0) came++;
      } catch (error) {
        murders.length = 0;
        const when = line === undefined ? `after ${ms} ms` : `${ms} ms after line ${line}`;
        throw new Error(`Killed ${when} of ${JSON.stringify(prompt)} (REINS_TEST_SEED=${random.seed})`, {
          cause: error,
        });
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  // Otherwise the kills came before any event was shown. How many get further depends on the load of the machine.
  expect(came).toBeGreaterThan(kills / 8);
});
