/** Runs scenarios, and says of each what came of it. One that hangs is ended at its deadline. */
import { isReinsError } from "../../events/errors.ts";
import { checkLaws } from "../../events/laws.ts";
import { reinsEventSchema } from "../../events/schema/index.ts";
import type { Capabilities } from "../../events/capabilities.ts";
import { ContractFailure, must, NotProvable } from "./check.ts";
import { difference } from "./compare.ts";
import { expected } from "./expected.ts";
import { contract } from "./index.ts";
import { notation } from "./notation.ts";
import type { Player } from "./player.ts";
import { Stage } from "./stage.ts";
import type { ContractResult, ContractScenario, ContractState, Place } from "./types.ts";

/** Makes the place for one scenario. */
export type OpenPlace = (scenario: ContractScenario) => Promise<Place>;

export interface RunContractOptions {
  readonly capabilities: Capabilities;
  readonly open: OpenPlace;
  /** Default: all of them. */
  readonly scenarios?: readonly ContractScenario[] | undefined;
  /** How many at once; each has its own place. Default: one. */
  readonly concurrency?: number | undefined;
  readonly onResult?: ((result: ContractResult) => void) | undefined;
  /** Once aborted, no further scenario is begun. */
  readonly signal?: AbortSignal | undefined;
}

/** In the order of the list, whatever the order in which they ended. */
export async function runContract(options: RunContractOptions): Promise<readonly ContractResult[]> {
  const scenarios = options.scenarios ?? contract;
  const results: ContractResult[] = [];
  const waiting = [...scenarios.entries()];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      if (options.signal?.aborted === true) return;
      const [index, scenario] = next;
      const result = await runScenario(scenario, options.capabilities, options.open);
      results[index] = result;
      options.onResult?.(result);
    }
  };
  await Promise.all(Array.from({ length: options.concurrency ?? 1 }, work));
  return results.filter((result) => result !== undefined);
}

/** Never throws. */
export async function runScenario(
  scenario: ContractScenario,
  capabilities: Capabilities,
  open: OpenPlace,
): Promise<ContractResult> {
  const began = performance.now();
  const declared = scenario.declared?.(capabilities) ?? true;
  const result = (state: ContractState, sentence?: string): ContractResult => ({
    scenario: scenario.id,
    title: scenario.title,
    capabilities: scenario.proves,
    declared,
    state,
    sentence,
    ms: Math.round(performance.now() - began),
  });
  if (!declared && scenario.evenSo !== true) return result("not_declared");
  try {
    await attempt(scenario, open);
    return declared ? result("proven") : result("not_declared", "It is said or refused, as it should be.");
  } catch (thrown) {
    if (thrown instanceof NotProvable) return result("not_provable", thrown.message);
    return result("failed", sentenceOf(thrown));
  }
}

async function attempt(scenario: ContractScenario, open: OpenPlace): Promise<void> {
  const place = await open(scenario);
  let proven = false;
  try {
    const stage = new Stage(place);
    await within(scenario.run(stage), place.deadlineMs, () => progress(stage.players));
    const left = await within(place.end(), place.deadlineMs, () => "closing it");
    await within(Promise.all(stage.players.map(({ over }) => over)), place.deadlineMs, () => "reading its events");
    for (const { events } of stage.players) mustBeLawful(events, place);
    const said = stage.players.flatMap(({ events }) => notation(events));
    const differs = difference(expected[scenario.id] ?? [], said, {
      can: stage.can,
      seen: stage.seen,
      filesUnseen: !place.isRepository,
    });
    must(differs === undefined, differs ?? "");
    must(left.length === 0, `This still ran when everything was closed: ${left.join("; ")}.`);
    const refused = place.model?.requests.find(({ problem }) => problem !== undefined);
    must(refused === undefined, `The scripted model had no answer: ${refused?.problem}`);
    proven = true;
  } finally {
    await place.end().catch(() => []);
    await place.clear(proven);
  }
}

function mustBeLawful(events: Player["events"], place: Place): void {
  for (const event of events) {
    const { error } = reinsEventSchema.safeParse(event);
    must(error === undefined, `${event.type} is not in the vocabulary: ${error?.message.replaceAll(/\s+/g, " ")}`);
  }
  const [broken] = checkLaws(events, { resumes: () => place.capabilities.resume });
  must(broken === undefined, `Law ${broken?.law} is broken at event ${broken?.seq}: ${broken?.message}`);
}

async function within<T>(promise: Promise<T>, ms: number, where: () => string): Promise<T> {
  const { promise: over, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new ContractFailure(`It was not over in ${ms / 1000} seconds: ${where()}.`)),
    ms,
  );
  // Whichever comes second is nobody's concern.
  promise.catch(() => undefined);
  try {
    return await Promise.race([promise, over]);
  } finally {
    clearTimeout(timer);
  }
}

const progress = (players: readonly Player[]): string =>
  `it had said ${players.flatMap(({ events }) => notation(events).map(({ text }) => text)).join(" · ") || "nothing"}`;

function sentenceOf(thrown: unknown): string {
  if (thrown instanceof ContractFailure) return thrown.message;
  return isReinsError(thrown) ? `${thrown.code}: ${thrown.message}` : String(thrown);
}
