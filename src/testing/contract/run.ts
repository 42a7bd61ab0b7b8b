/** Runs scenarios of the contract and reports a result for each. A scenario that hangs is ended at its deadline. */
import { isReinsError } from "../../events/errors.ts";
import { oneLine } from "../../events/printable.ts";
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

/** Opens the place for one scenario: an empty folder, an empty home and an agent that is ready. See `openLivePlace`. */
export type OpenPlace = (scenario: ContractScenario) => Promise<Place>;

/** Options of `runContract`. */
export interface RunContractOptions {
  /** The capabilities that the agent declares. Scenarios of undeclared capabilities get the state `not_declared`. */
  readonly capabilities: Capabilities;
  readonly open: OpenPlace;
  /** Default: all of `contract`. */
  readonly scenarios?: readonly ContractScenario[] | undefined;
  /** How many scenarios run at once, each in its own place. Default: 1. */
  readonly concurrency?: number | undefined;
  /** Called with each result as soon as it is known. */
  readonly onResult?: ((result: ContractResult) => void) | undefined;
  /** Once aborted, no further scenario starts. Running scenarios are ended without a result. */
  readonly signal?: AbortSignal | undefined;
}

/** Runs the contract against one agent. Returns the results in the order of the scenarios, whatever the order in which they ended. */
export async function runContract(options: RunContractOptions): Promise<readonly ContractResult[]> {
  const scenarios = options.scenarios ?? contract;
  const results: ContractResult[] = [];
  const waiting = [...scenarios.entries()];
  const ended = (): boolean => options.signal?.aborted === true;
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      if (ended()) return;
      const [index, scenario] = next;
      const result = await runScenario(scenario, options.capabilities, options.open, options.signal);
      // The scenario may have failed only because of the abort.
      if (result.state === "failed" && ended()) return;
      results[index] = result;
      options.onResult?.(result);
    }
  };
  await Promise.all(Array.from({ length: options.concurrency ?? 1 }, work));
  return results.filter((result) => result !== undefined);
}

/** Runs one scenario of the contract. Never throws. */
export async function runScenario(
  scenario: ContractScenario,
  capabilities: Capabilities,
  open: OpenPlace,
  signal?: AbortSignal,
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
    await attempt(scenario, open, signal);
    return declared ? result("proven") : result("not_declared", "Its absence is reported or refused, as it should be.");
  } catch (thrown) {
    if (thrown instanceof NotProvable) return result("not_provable", thrown.message);
    return result("failed", sentenceOf(thrown));
  }
}

async function attempt(scenario: ContractScenario, open: OpenPlace, signal: AbortSignal | undefined): Promise<void> {
  const place = await open(scenario);
  let proven = false;
  try {
    const stage = new Stage(place);
    await within(scenario.run(stage), place.deadlineMs, () => progress(stage.players), signal);
    const left = await within(place.end(), place.deadlineMs, () => "closing it");
    await within(Promise.all(stage.players.map(({ over }) => over)), place.deadlineMs, () => "reading its events");
    for (const { events } of stage.players) mustBeLawful(events, place);
    const said = stage.players.flatMap(({ events }) => notation(events));
    const differs = difference(expected[scenario.id] ?? [], said, {
      can: stage.can,
      filesUnseen: !place.isRepository,
      spoken: place.spoken,
    });
    must(differs === undefined, differs ?? "");
    must(left.length === 0, `This still ran when everything was closed: ${left.join("; ")}.`);
    const refused = place.model?.requests.find(({ problem }) => problem !== undefined);
    must(refused === undefined, `The scripted model had no answer: ${refused?.problem}`);
    proven = true;
  } catch (thrown) {
    if (thrown instanceof ContractFailure) throw new ContractFailure(`${thrown.message}${lastWords(place)}`);
    throw thrown;
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

async function within<T>(promise: Promise<T>, ms: number, where: () => string, signal?: AbortSignal): Promise<T> {
  const { promise: over, reject } = Promise.withResolvers<never>();
  const late = () => reject(new ContractFailure(`It did not finish within ${ms / 1000} seconds: ${where()}.`));
  const end = () => reject(new ContractFailure("It was aborted before it finished."));
  const timer = setTimeout(late, ms);
  promise.catch(() => undefined);
  if (signal?.aborted === true) end();
  signal?.addEventListener("abort", end);
  try {
    return await Promise.race([promise, over]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
  }
}

/** The end of the stderr of the agent's programs, which are gone when the failure is read. */
function lastWords({ tap }: Place): string {
  const tails = tap.launched
    .map(({ stderrTail }) => oneLine(stderrTail.trim().slice(-300)))
    .filter((tail) => tail !== "");
  return tails.length === 0 ? "" : ` The last lines on stderr: ${tails.join(" · ")}`;
}

const progress = (players: readonly Player[]): string =>
  `it had said ${players.flatMap(({ events }) => notation(events).map(({ text }) => text)).join(" · ") || "nothing"}`;

function sentenceOf(thrown: unknown): string {
  if (thrown instanceof ContractFailure) return thrown.message;
  return isReinsError(thrown) ? `${thrown.code}: ${thrown.message}` : String(thrown);
}
