/** A session with an agent in the cloud. The agent outlives it: closing the session only stops following the run. */
import { ReinsError, errorInfo, toReinsError } from "../../events/errors.ts";
import type { Mode } from "../../events/modes.ts";
import type { AgentEvent, AgentEventOf } from "../../events/types.ts";
import type { AgentContext, AgentSession, OpenOptions, PromptInput } from "../contract.ts";
import { orEnd } from "../shared/in-process/stop-turn.ts";
import { AcknowledgedEvents } from "./acknowledged-events.ts";
import { conversation } from "./client-v0.ts";
import { isOver, type How, type RunInfo } from "./client.ts";
import { aboutAgent } from "./failures.ts";
import { follow, type Following } from "./follow.ts";
import { createAgentThere, furtherRun, knownModel, promptOf, type RunRequest } from "./launch.ts";
import { cloudError, who } from "./program.ts";
import type { Service } from "./service.ts";
import { decodeState, encodeState, type Place } from "./state.ts";
import { Translation, branchWords } from "./translate.ts";

export interface CloudContext extends Service {
  readonly context: AgentContext;
  readonly options: OpenOptions;
  readonly told: AcknowledgedEvents;
}

interface Run {
  readonly id: string;
  readonly abort: AbortController;
  readonly done: Promise<void>;
  /** The run was not started by a prompt of this session. */
  readonly own: boolean;
}

/** How long the stream may take to report the end of a cancelled run. */
const cancelledMs = 2_000;
/** Abort reason that makes the run count as cancelled. */
const believed = "cancelled";

class CloudSession implements AgentSession {
  readonly #context: CloudContext;
  #place: Place | undefined;
  /** The last known run, even one that has ended: any other was begun by a prompt whose answer was lost. */
  #lastRun: string | undefined;
  #mode: Mode;
  #model: string | undefined;
  #run: Run | undefined;
  /** Set while a prompt is being sent: `waiting` aborts waits, `gone` also requests that were sent. */
  #starting: { readonly waiting: AbortController; readonly gone: AbortController } | undefined;
  #cancels = 0;
  #closed = false;
  #branches = "";

  constructor(context: CloudContext, place: Place | undefined, model: string | undefined, lastRun?: string) {
    this.#context = context;
    this.#place = place;
    this.#mode = context.options.mode;
    this.#model = model;
    this.#lastRun = lastRun;
  }

  get events(): AsyncIterable<readonly AgentEvent[]> {
    return this.#context.told;
  }

  get state(): string | undefined {
    const { place } = this.#context.told;
    return place === undefined ? undefined : encodeState(place);
  }

  /** Follows an earlier run after the last event that was reported. */
  attach(run: RunInfo): void {
    const { lastId } = this.#place?.runId === run.id ? this.#place : {};
    this.#lastRun = run.id;
    this.#follow(run.id, true, lastId);
  }

  async prompt(input: PromptInput): Promise<void> {
    const { options, context } = this.#context;
    const cancels = this.#cancels;
    const request = await promptOf(input, options, context.limits.promptBytes);
    this.#refuseClosed();
    // An agent has one run at a time.
    if (this.#run === undefined && this.#place?.runId !== undefined)
      this.#follow(this.#place.runId, true, this.#place.lastId);
    while (this.#run?.own === true) await this.#run.done;
    this.#refuseClosed();
    if (this.#cancels !== cancels) return this.#ended({ type: "turn.ended", outcome: "cancelled" });
    if (this.#run !== undefined || this.#starting !== undefined)
      throw cloudError("session_busy", "The agent is already working on a prompt.");
    const { waiting, gone } = (this.#starting = { waiting: new AbortController(), gone: new AbortController() });
    try {
      const run = await this.#start(request, { waiting: waiting.signal, signal: gone.signal });
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

  /** Cloud agents ask nobody. */
  answer(): void {}

  async configure({ model, mode }: { model?: string | undefined; mode?: Mode | undefined }): Promise<void> {
    if (model !== undefined) this.#model = await knownModel(this.#context.versions, model);
    this.#mode = mode ?? this.#mode;
  }

  async cancel(): Promise<void> {
    this.#cancels++;
    // A prompt that is being sent is cancelled as soon as its run has an id.
    this.#starting?.waiting.abort();
    await this.#cancelRun();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#starting?.gone.abort();
    const run = this.#run;
    run?.abort.abort();
    await run?.done;
    this.#context.told.end();
  }

  #refuseClosed(): void {
    if (this.#closed) throw cloudError("session_not_found", "This session is closed.");
  }

  async #start(request: RunRequest, signals: Pick<How, "signal" | "waiting">): Promise<RunInfo> {
    const { versions, options, told } = this.#context;
    const how: How = { ...signals, onRetry: (event) => told.push(event) };
    const wanted = { options, mode: this.#mode, model: this.#model };
    if (this.#place === undefined) {
      const { agent, run } = await createAgentThere(this.#context, request, wanted, how);
      this.#place = { agentId: agent.id, runId: run.id };
      return run;
    }
    const { agentId } = this.#place;
    const client = versions.of(agentId);
    if (client.version === "v0") {
      const { length } = await conversation(this.#context.api, agentId, how.signal);
      this.#place = { agentId, lastId: String(length) };
    }
    const run = await client.startRun(agentId, furtherRun(request, wanted), { ...how, before: this.#lastRun });
    const place = { ...this.#place, runId: run.id };
    this.#place = place;
    // After a crash the next session knows which run was not reported to its end.
    told.push({ type: "session.updated", by: "agent", state: encodeState(place) }, { place });
    return run;
  }

  #follow(runId: string, own: boolean, lastId?: string): void {
    const { api, versions, options } = this.#context;
    const { agentId } = this.#place!;
    const abort = new AbortController();
    const client = versions.of(agentId);
    const known = lastId ?? (client.version === "v0" ? this.#place?.lastId : undefined) ?? "";
    const whole = client.version === "v1" && known === "";
    const translation = new Translation({ runId, cwd: options.cwd, whole });
    const following: Following = { api, client, agentId, runId, translation, signal: abort.signal, lastId: known };
    this.#run = { id: runId, abort, own, done: this.#work(following, own) };
  }

  /** Follows the run to its `turn.ended`. Never rejects. */
  async #work(following: Following, own: boolean): Promise<void> {
    const { told } = this.#context;
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
      for (const event of translation.close()) told.push(event);
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
    if (words !== "" && words !== this.#branches) this.#notice(words);
    this.#branches = words;
    const used = await client.runUsage(agentId, runId, { signal }).catch(() => undefined);
    if (used === undefined) return;
    const { run: _, costUsd, ...usage } = used;
    ended.usage = usage;
    ended.costUsd = costUsd;
  }

  #ended(event: AgentEventOf<"turn.ended">): void {
    this.#context.told.reached(this.#place);
    this.#context.told.push(event, { place: this.#place });
  }

  async #cancelRun(): Promise<void> {
    const run = this.#run;
    const { agentId } = this.#place ?? {};
    if (run === undefined || agentId === undefined) return;
    try {
      await this.#context.versions.of(agentId).cancel(agentId, run.id);
    } catch (thrown) {
      const { message } = toReinsError(thrown);
      this.#notice(`The run could not be stopped and may continue in the cloud: ${message}`, "error");
      throw thrown;
    }
    // The stream reports the end; if it does not, the answer to the cancel counts.
    const timer = setTimeout(() => run.abort.abort(believed), cancelledMs);
    await run.done;
    clearTimeout(timer);
  }

  #notice(message: string, level: "info" | "error" = "info"): void {
    this.#context.told.push({ type: "notice", level, code: "remote", message });
  }
}

const followHelp = "Follow it again with `reins cloud follow`, or stop it with `reins cloud stop`.";

function leftAlone(): ReinsError {
  return cloudError("cancelled", "Reins no longer follows the run; it continues in the cloud.", followHelp);
}

/** A retryable error is about following the run, not about the run itself. */
function leftBy(error: ReinsError): ReinsError {
  const { code, retryable, resetsAt } = error;
  if (!retryable) return error;
  const message = `${error.message.replace(/\.$/, "")}; Reins no longer follows the run, which continues in the cloud.`;
  return new ReinsError(code, message, { agent: who.id, retryable, resetsAt, help: followHelp, cause: error });
}

/** Follows a run that is in progress from its current position. */
export async function openSession(
  context: AgentContext,
  service: Service,
  options: OpenOptions,
): Promise<AgentSession> {
  const { versions } = service;
  const place = options.state === undefined ? undefined : decodeState(options.state);
  const model = options.model === undefined ? undefined : await knownModel(versions, options.model);
  const opened = (told: AcknowledgedEvents, lastRun?: string) =>
    new CloudSession({ context, options, ...service, told }, told.place, model, lastRun);
  if (place === undefined) return opened(new AcknowledgedEvents(undefined));
  const { agentId } = place;
  const run = await versions
    .of(agentId)
    .latestRun(agentId, { signal: options.signal })
    .catch((thrown: unknown) => {
      throw aboutAgent(agentId, thrown);
    });
  options.signal?.throwIfAborted();
  const goesOn = run !== undefined && !isOver(run.status);
  // The run may have ended meanwhile; its end must still be reported.
  const missed = run !== undefined && !goesOn && place.runId === run.id;
  const known = place.runId === run?.id ? place : { agentId, runId: run?.id };
  const told = new AcknowledgedEvents(goesOn || missed ? known : { agentId });
  const session = opened(told, run?.id);
  const { mode, cwd } = options;
  told.start({ model, mode, cwd, resumed: true, state: session.state });
  if (goesOn || missed) session.attach(run);
  return session;
}
