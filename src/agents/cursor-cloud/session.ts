/** One conversation with an agent in the cloud. It outlives this one: closing it only ends the looking. */
import { errorInfo, ReinsError, toReinsError } from "../../events/errors.ts";
import type { Mode } from "../../events/modes.ts";
import type { AgentEvent, AgentEventOf } from "../../events/types.ts";
import type { AgentContext, AgentSession, OpenOptions, PromptInput } from "../contract.ts";
import { orEnd } from "../shared/endings.ts";
import type { Api } from "./api.ts";
import { branchWords } from "./branches.ts";
import type { Client, How, RunInfo } from "./client.ts";
import { conversation } from "./client-v0.ts";
import { createAgentThere } from "./create.ts";
import { follow } from "./follow.ts";
import type { Following } from "./follow.ts";
import { furtherRun, promptOf } from "./launch.ts";
import type { RunRequest } from "./launch.ts";
import { knownModel } from "./known-model.ts";
import { encodeState } from "./state.ts";
import type { Place } from "./state.ts";
import type { Told } from "./told.ts";
import { Translation } from "./translate.ts";
import type { Versions } from "./versions.ts";
import { who } from "./who.ts";

export interface CloudDesk {
  readonly context: AgentContext;
  readonly options: OpenOptions;
  readonly api: Api;
  readonly versions: Versions;
  readonly told: Told;
}

interface Run {
  readonly id: string;
  readonly abort: AbortController;
  readonly done: Promise<void>;
  /** Nobody here asked for it: it went on there. */
  readonly own: boolean;
}

/** How long the end of a cancelled run may take to be told, before it counts as told. */
const cancelledMs = 2_000;
/** Why such a run is not followed any more: not that somebody left it. */
const believed = "cancelled";

export class CloudSession implements AgentSession {
  readonly #desk: CloudDesk;
  #place: Place | undefined;
  /** Also one that is over: only a run that is another than this was begun by us. */
  #lastRun: string | undefined;
  #mode: Mode;
  #model: string | undefined;
  #run: Run | undefined;
  /** A prompt is on its way there: `waiting` ends what is only a wait, `gone` also what was sent. */
  #starting: { readonly waiting: AbortController; readonly gone: AbortController } | undefined;
  #cancels = 0;
  #closed = false;
  #branches = "";

  constructor(desk: CloudDesk, place: Place | undefined, model: string | undefined, lastRun?: string) {
    this.#desk = desk;
    this.#place = place;
    this.#mode = desk.options.mode;
    this.#model = model;
    this.#lastRun = lastRun;
  }

  get events(): AsyncIterable<readonly AgentEvent[]> {
    return this.#desk.told;
  }

  get state(): string | undefined {
    const { place } = this.#desk.told;
    return place === undefined ? undefined : encodeState(place);
  }

  /** A run goes on there: its events come here, behind the last one that was told. */
  attach(run: RunInfo): void {
    const { lastId } = this.#place?.runId === run.id ? this.#place : {};
    this.#lastRun = run.id;
    this.#follow(run.id, true, lastId);
  }

  async prompt(input: PromptInput): Promise<void> {
    const { options, context } = this.#desk;
    const cancels = this.#cancels;
    const request = await promptOf(input, options, context.limits.promptBytes);
    this.#refuseClosed();
    // What goes on there comes first: only one run of an agent can.
    if (this.#run === undefined && this.#place?.runId !== undefined)
      this.#follow(this.#place.runId, true, this.#place.lastId);
    while (this.#run?.own === true) await this.#run.done;
    this.#refuseClosed();
    if (this.#cancels !== cancels) return this.#ended({ type: "turn.ended", outcome: "cancelled" });
    if (this.#run !== undefined || this.#starting !== undefined)
      throw new ReinsError("session_busy", "The agent is already working on a prompt.", { agent: who.id });
    const starting = { waiting: new AbortController(), gone: new AbortController() };
    this.#starting = starting;
    try {
      const run = await this.#start(request, { waiting: starting.waiting.signal, signal: starting.gone.signal });
      this.#lastRun = run.id;
      this.#follow(run.id, false);
      if (this.#cancels !== cancels) await this.#cancelRun();
    } catch (thrown) {
      if (this.#cancels === cancels && !this.#closed) throw thrown;
      this.#ended({ type: "turn.ended", outcome: "cancelled" });
    } finally {
      this.#starting = undefined;
    }
  }

  /** It asks nobody. */
  answer(): void {}

  async configure({ model, mode }: { model?: string | undefined; mode?: Mode | undefined }): Promise<void> {
    if (model !== undefined) this.#model = await knownModel(this.#desk.versions, model);
    this.#mode = mode ?? this.#mode;
  }

  async cancel(): Promise<void> {
    this.#cancels++;
    // What is on its way is cancelled as soon as it has an id.
    this.#starting?.waiting.abort();
    await this.#cancelRun();
  }

  /** The agent goes on there. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#starting?.gone.abort();
    const run = this.#run;
    run?.abort.abort();
    await run?.done;
    this.#desk.told.end();
  }

  #refuseClosed(): void {
    if (this.#closed) throw new ReinsError("session_not_found", "This session is closed.", { agent: who.id });
  }

  async #start(request: RunRequest, signals: Pick<How, "signal" | "waiting">): Promise<RunInfo> {
    const { versions, options, told } = this.#desk;
    const how: How = { ...signals, onRetry: (event) => told.push(event) };
    const wanted = { options, mode: this.#mode, model: this.#model };
    if (this.#place === undefined) {
      const { agent, run } = await createAgentThere(this.#desk, request, wanted, how);
      this.#place = { agentId: agent.id, runId: run.id };
      return run;
    }
    const { agentId } = this.#place;
    const client = versions.of(agentId);
    if (client.version === "v0") this.#place = { agentId, lastId: await this.#countMessages(agentId, how.signal) };
    const run = await client.startRun(agentId, furtherRun(request, wanted), { ...how, before: this.#lastRun });
    const place = { ...this.#place, runId: run.id };
    this.#place = place;
    // Whatever becomes of this process: who comes back knows which run was not told to its end.
    told.push({ type: "session.updated", by: "agent", state: encodeState(place) }, { place });
    return run;
  }

  async #countMessages(agentId: string, signal: AbortSignal | undefined): Promise<string> {
    return String((await conversation(this.#desk.api, agentId, signal)).length);
  }

  #follow(runId: string, own: boolean, lastId?: string): void {
    const { api, versions, options } = this.#desk;
    const { agentId } = this.#place!;
    const abort = new AbortController();
    const client = versions.of(agentId);
    const known = lastId ?? (client.version === "v0" ? this.#place?.lastId : undefined) ?? "";
    const whole = client.version === "v1" && known === "";
    const translation = new Translation({ runId, cwd: options.cwd, whole });
    const following: Following = { api, client, agentId, runId, translation, signal: abort.signal, lastId: known };
    this.#run = { id: runId, abort, own, done: this.#work(following, own) };
  }

  /** The run from here to its `turn.ended`. Never rejects. */
  async #work(following: Following, own: boolean): Promise<void> {
    const { told } = this.#desk;
    const { agentId, runId, translation, signal } = following;
    const ended: AgentEventOf<"turn.ended"> = { type: "turn.ended", outcome: "done" };
    if (own) ended.origin = "agent";
    const at = (lastId: string): Place => ({ agentId, runId, lastId });
    try {
      let before = at(following.lastId);
      for await (const batch of follow(following)) {
        for (const [index, event] of batch.entries()) told.push(event, index === 0 ? { place: before } : undefined);
        before = at(following.lastId);
        this.#place = before;
        told.reached(before);
        const room = told.room();
        if (room !== undefined) await orEnd(signal, room);
      }
      await this.#finish(following, ended);
    } catch (thrown) {
      for (const event of translation.leave()) told.push(event);
      if (signal.reason === believed) ended.outcome = "cancelled";
      else {
        const error = signal.aborted ? leftAlone() : leftBy(toReinsError(thrown));
        const left = signal.aborted || error.retryable;
        ended.outcome = left && translation.end === undefined ? "interrupted" : "failed";
        ended.error = errorInfo(error);
      }
    }
    this.#run = undefined;
    this.#ended(ended);
  }

  /** The run is over: what it came to, and what it used. */
  async #finish(
    { client, agentId, runId, translation, signal }: Following,
    ended: AgentEventOf<"turn.ended">,
  ): Promise<void> {
    const end = translation.end;
    if (end === undefined) return signal.throwIfAborted();
    this.#place = { agentId };
    ended.outcome = end.outcome;
    if (end.error !== undefined) ended.error = end.error;
    const words = branchWords(end.branches);
    if (words !== "" && words !== this.#branches) this.#notice("remote", words);
    this.#branches = words;
    const used = await usageOf(client, agentId, runId, signal);
    if (used === undefined) return;
    const { input, output, cacheRead, cacheWrite, costUsd } = used;
    ended.usage = { input, output, cacheRead, cacheWrite };
    if (costUsd !== undefined) ended.costUsd = costUsd;
  }

  /** The end of a turn is told with the state that is true from then on. */
  #ended(event: AgentEventOf<"turn.ended">): void {
    this.#desk.told.reached(this.#place);
    this.#desk.told.push(event, { place: this.#place });
  }

  async #cancelRun(): Promise<void> {
    const run = this.#run;
    const { agentId } = this.#place ?? {};
    if (run === undefined || agentId === undefined) return;
    try {
      await this.#desk.versions.of(agentId).cancel(agentId, run.id);
    } catch (thrown) {
      const { message } = toReinsError(thrown);
      this.#notice("remote", `The run could not be stopped and may go on there: ${message}`, "error");
      throw thrown;
    }
    // Its stream says that it ended; where it does not, it is believed.
    const timer = setTimeout(() => run.abort.abort(believed), cancelledMs);
    await run.done;
    clearTimeout(timer);
  }

  #notice(code: string, message: string, level: "info" | "error" = "info"): void {
    this.#desk.told.push({ type: "notice", level, code, message });
  }
}

/** Nothing depends on it. */
async function usageOf(client: Client, agentId: string, runId: string, signal: AbortSignal) {
  return client.runUsage(agentId, runId, { signal }).catch(() => undefined);
}

const followHelp = "Follow it again with `reins cloud follow`, or stop it with `reins cloud stop`.";

function leftAlone(): ReinsError {
  return new ReinsError("cancelled", "Nobody follows the run any more; it goes on in the cloud.", {
    agent: who.id,
    help: followHelp,
  });
}

/** What may pass says nothing about the run: only the looking has failed. */
function leftBy(error: ReinsError): ReinsError {
  const { code, retryable, resetsAt } = error;
  if (!retryable) return error;
  const message = `${error.message.replace(/\.$/, "")}; nobody follows the run any more, and it goes on in the cloud.`;
  return new ReinsError(code, message, { agent: who.id, retryable, resetsAt, help: followHelp, cause: error });
}
