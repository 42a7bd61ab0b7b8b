/** No process started by Reins survives it, at whatever moment Reins is killed. */
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Random, seededRandom } from "../support/random.ts";
import { type Scene, Stage } from "./scene.ts";

const moments = 200;
/** How many of the kills hit the command instead of the library. */
const ofCommand = 30;
/** `npm run test:chaos` sets this to run all kills. The normal suite runs a few, at other moments each time. */
const kills = Number(process.env["REINS_KILLS"] ?? 20);
const atOnce = 5;

/** A way to choose the moment of the kill. */
interface KillPlan {
  readonly name: string;
  readonly start: () => Scene;
  readonly wait: (scene: Scene) => Promise<unknown>;
}

/** The output of a run that is not killed, and its duration until nothing new is printed. */
interface Life {
  readonly lines: readonly string[];
  readonly ms: number;
}

let stage: Stage;
let library: Life;
let command: Life;

beforeAll(async () => {
  stage = new Stage();
  // The first runs fill the compile cache for the others, and must end by themselves to write it.
  for (let run = 0; run < 2; run++) {
    [library, command] = await Promise.all([
      live(stage.library(), "steps "),
      live(stage.command(`run ${stage.leaves}; stream 20`), "turn.completed"),
    ]);
  }
});
afterAll(() => stage[Symbol.dispose]());

async function live(scene: Scene, last: string): Promise<Life> {
  const began = performance.now();
  await scene.said(last);
  const life = { lines: [...scene.lines], ms: performance.now() - began };
  scene.kill("SIGTERM");
  await scene.over();
  return life;
}

describe.runIf(process.platform === "linux")("no process is left of a Reins", () => {
  test(`that is killed with SIGKILL at ${kills} moments`, { timeout: 240_000 }, async ({ annotate }) => {
    const random = seededRandom();
    const plans = plan(random);
    while (plans.length > kills) plans.splice(random.below(plans.length), 1);
    const times: number[] = [];
    const worker = async (): Promise<void> => {
      for (let murder = plans.shift(); murder !== undefined; murder = plans.shift()) {
        const scene = murder.start();
        try {
          await murder.wait(scene);
          scene.kill();
          const { signal, tookMs } = await scene.over();
          expect(signal).toBe("SIGKILL");
          times.push(tookMs);
        } catch (error) {
          plans.length = 0;
          throw new Error(`Killed ${murder.name} (REINS_TEST_SEED=${random.seed}): ${String(error)}\n${scene.stderr}`);
        }
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    expect(times).toHaveLength(kills);
    await annotate(`seed ${random.seed}: all gone within ${Math.round(Math.max(...times))} ms`);
  });
});

/** Kills the library at each of its steps; the remaining kills hit library and command by output or by time. */
function plan(random: Random): KillPlan[] {
  const plans: KillPlan[] = [];
  const steps = Number(library.lines.at(-1)?.split(" ")[1]);
  for (let step = 1; step <= steps; step++) {
    for (const when of ["before", "after"]) {
      const start = () => stage.library(String(step), when);
      plans.push({ name: `${when} step ${step}`, start, wait: (scene) => scene.said("steps ") });
    }
  }
  expect(plans.length).toBeLessThan(moments - ofCommand);
  const startCommand = () => stage.command(`run ${stage.leaves}; stream 20; run ${stage.stubborn}`);
  while (plans.length < moments) {
    const [name, start, life] =
      moments - plans.length > ofCommand
        ? (["the library", () => stage.library(), library] as const)
        : (["the command", startCommand, command] as const);
    plans.push({ start, ...moment(name, life, random) });
  }
  return plans;
}

function moment(whom: string, life: Life, random: Random): Pick<KillPlan, "name" | "wait"> {
  if (random.below(2) === 0) {
    const ms = random.below(life.ms * 1.2);
    return { name: `${whom} after ${ms} ms`, wait: () => setTimeout(ms) };
  }
  const line = random.below(life.lines.length);
  const ms = random.below(20);
  return {
    name: `${whom} ${ms} ms after ${life.lines[line]}`,
    wait: async (scene) => {
      await scene.said(line + 1);
      await setTimeout(ms);
    },
  };
}
