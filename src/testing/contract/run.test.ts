/** How a scenario's behaviour determines its result. */
import { expect, test } from "vitest";
import type { Capabilities } from "../../events/capabilities.ts";
import { NotProvable, must } from "./check.ts";
import { runContract, runScenario } from "./run.ts";
import { Tap } from "./tap.ts";
import type { ContractScenario, Place } from "./types.ts";
import { driftIn } from "../prove/index.ts";

const capabilities = { deltas: true } as Capabilities;
const cleared: boolean[] = [];

const open =
  (left: readonly string[] = []) =>
  async (): Promise<Place> => ({
    agent: "some",
    capabilities,
    live: false,
    cwd: "/",
    isRepository: true,
    tap: new Tap(),
    deadlineMs: 50,
    reins: () => {
      throw new NotProvable("There is none.");
    },
    prompt: () => "",
    release: () => {},
    end: async () => left,
    clear: async (proven) => void cleared.push(proven),
  });

// The row `modes-refused` of the table expects no events.
const scenario = (run: ContractScenario["run"], more: Partial<ContractScenario> = {}): ContractScenario => ({
  id: "modes-refused",
  title: "does it",
  proves: ["deltas"],
  run,
  ...more,
});

const forEver = () => new Promise<never>(() => {});

test.each<[ContractScenario, string, RegExp | undefined, string[]?]>([
  [scenario(async () => {}), "proven", undefined],
  [scenario(async () => must(false, "It is not so.")), "failed", /^It is not so\.$/],
  [scenario(async ({ reins }) => void reins), "not_provable", /^There is none\.$/],
  [scenario(forEver), "failed", /^It did not finish within 0.05 seconds: it had said nothing\.$/],
  [scenario(async () => {}, { id: "text" }), "failed", /^After 0 steps it ended; expected was session/],
  [scenario(async () => {}), "failed", /^This still ran when everything was closed: process 7\.$/, ["process 7"]],
  [scenario(forEver, { declared: () => false }), "not_declared", undefined],
  [scenario(async () => {}, { declared: () => false, evenSo: true }), "not_declared", /reported or refused/],
  [scenario(async () => must(false, "Not so."), { declared: () => false, evenSo: true }), "failed", /^Not so\.$/],
])("the scenario %j has the state %s", async (one, state, sentence, left) => {
  const result = await runScenario(one, capabilities, open(left));
  expect(result.state).toBe(state);
  if (sentence === undefined) expect(result.sentence).toBeUndefined();
  else expect(result.sentence).toMatch(sentence);
});

test("adds the end of stderr to a failure", async () => {
  const tap = new Tap();
  tap.launched.push({ pid: 7, isGone: true, stderrTail: "first\n\u001b[31mIt broke\n" });
  const fails = scenario(async () => must(false, "It is not so."));
  const { sentence } = await runScenario(fails, capabilities, async () => ({ ...(await open()()), tap }));
  expect(sentence).toBe("It is not so. The last lines on stderr: first It broke");
});

test("clears the place and tells it whether the scenario was proven", async () => {
  cleared.length = 0;
  await runScenario(
    scenario(async () => {}),
    capabilities,
    open(),
  );
  await runScenario(
    scenario(async () => must(false, "No.")),
    capabilities,
    open(),
  );
  expect(cleared).toEqual([true, false]);
});

test("keeps the order of results, starts none after an abort, and reports drift of declared capabilities", async () => {
  const stop = new AbortController();
  const scenarios = [
    scenario(async () => must(false, "Too slow."), { proves: ["deltas", "always"] }),
    scenario(async () => stop.abort()),
    scenario(async () => {}),
  ];
  const seen: string[] = [];
  const onResult = ({ state }: { state: string }) => seen.push(state);
  const results = await runContract({ capabilities, open: open(), scenarios, signal: stop.signal, onResult });
  expect(results.map(({ state }) => state)).toEqual(["failed", "proven"]);
  expect(seen).toEqual(["failed", "proven"]);
  const sentences = ["modes-refused: Too slow."];
  expect(driftIn(results)).toEqual([
    { capability: "deltas", sentences },
    { capability: "always", sentences },
  ]);
});

test("ends running scenarios on abort, without a result", async () => {
  const ending = new AbortController();
  const scenarios = [scenario(forEver), scenario(async () => ending.abort()), scenario(forEver)];
  const place = async () => ({ ...(await open()()), deadlineMs: 600_000 });
  cleared.length = 0;
  const asked = { capabilities, scenarios, concurrency: 2, signal: ending.signal };
  expect((await runContract({ ...asked, open: place })).map(({ state }) => state)).toEqual(["proven"]);
  expect(cleared).toHaveLength(2);
});
