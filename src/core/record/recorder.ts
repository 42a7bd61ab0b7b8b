/**
 * Turns the events of an agent into the events that readers see, and enforces the laws whatever the agent does. It
 * does no I/O and never waits; the session reports what happens, in order, and takes the events.
 */
import type { ErrorInfo } from "../../events/errors.ts";
import type { Mode } from "../../events/modes.ts";
import type {
  AgentEvent,
  AgentEventOf,
  EventOf,
  EventPayload,
  Outcome,
  ReinsEvent,
  Tokens,
} from "../../events/types.ts";
import { Messages } from "./messages.ts";
import { Requests } from "./requests.ts";
import { Envelope, type EnvelopeOptions } from "./envelope.ts";
import { Tasks } from "./tasks.ts";
import { Tools, type WantedTool } from "./tools.ts";
import { UsageSums } from "./usage-sums.ts";
import { randomId } from "../../process/crypto.ts";

export interface Ending {
  readonly outcome: Outcome;
  readonly error?: ErrorInfo | undefined;
  readonly usage?: Tokens | undefined;
  readonly costUsd?: number | undefined;
  readonly costSource?: "prices" | undefined;
  readonly next?: string | undefined;
  /** Exactly these tasks still run. Missing: all tasks whose end was not reported. */
  readonly background?: readonly string[] | undefined;
  readonly filesChangedIncomplete?: boolean | undefined;
  readonly state?: string | undefined;
}

export interface LegInfo {
  readonly mode: Mode;
  readonly cwd: string;
  readonly resumed: boolean;
}

export interface RecorderOptions extends EnvelopeOptions {
  /** State of the running agent, if it has one. It is recorded before the first tool of a leg (law 7). */
  readonly agentState?: (() => string | undefined) | undefined;
}

interface OpenTurn {
  readonly startedAt: number;
  readonly files: Set<string>;
  readonly movedFrom: Set<string>;
  ofSubagents: boolean;
}

type TurnStart = Pick<EventOf<"turn.started">, "type" | "origin" | "cause" | "input" | "continues">;

const needError: ReadonlySet<Outcome> = new Set(["failed", "refused", "budget", "interrupted"]);

export class Recorder {
  readonly requests: Requests;
  readonly #envelope: Envelope;
  readonly #messages: Messages;
  readonly #tools: Tools;
  readonly #tasks: Tasks;
  readonly #usage = new UsageSums();
  #turn: OpenTurn | undefined;
  #state: string | undefined;
  #stateTold = false;
  #leg: LegInfo | undefined;
  readonly #agentState: () => string | undefined;

  constructor(options: RecorderOptions) {
    this.#agentState = options.agentState ?? (() => undefined);
    this.#envelope = new Envelope(options);
    this.#messages = new Messages(options.redact, options.limits.messageBytes, options.put);
    this.#tools = new Tools(this.#envelope);
    this.#tasks = new Tasks(this.#envelope, this.#tools);
    this.requests = new Requests(this.#envelope, this.#tools);
  }

  get turnId(): string | undefined {
    return this.#envelope.turnId;
  }

  get lastSeq(): number {
    return this.#envelope.lastSeq;
  }

  get last(): ReinsEvent | undefined {
    return this.#envelope.last;
  }

  get hasTasks(): boolean {
    return this.#tasks.running().length > 0;
  }

  /** True for a turn that subagents began in the background, without the agent itself. */
  get isOfSubagents(): boolean {
    return this.#turn?.ofSubagents === true;
  }

  get reportedFiles(): ReadonlySet<string> {
    return new Set([...(this.#turn?.files ?? []), ...(this.#turn?.movedFrom ?? [])]);
  }

  /** Continues the log of an earlier process: call it for each event, in order. Deltas matter only in an open turn. */
  restore(event: ReinsEvent): void {
    this.#envelope.restore(event);
    switch (event.type) {
      case "turn.started":
        this.#turn = { startedAt: Date.parse(event.time), files: new Set(), movedFrom: new Set(), ofSubagents: false };
        this.#messages.lastText = "";
        this.#usage.startTurn();
        return this.#tools.startTurn();
      case "usage.updated":
        return this.#usage.restore(event.agent, event);
      case "turn.completed":
        this.#turn = undefined;
        this.#envelope.turnId = undefined;
        this.#state = event.state ?? this.#state;
        return;
      case "session.started":
      case "session.updated":
        this.#state = event.state ?? this.#state;
        return;
      case "message.delta":
      case "message.completed":
      case "message.discarded":
      case "thought.delta":
      case "thought.completed":
        return this.#messages.restore(event);
      case "tool.started":
      case "tool.completed":
      case "tool.failed":
        return this.#tools.restore(event);
      case "file.changed":
        return void this.#turn?.files.add(event.path);
      case "permission.requested":
      case "permission.resolved":
      case "question.requested":
      case "question.resolved":
        return this.requests.restore(event);
      case "task.started":
      case "task.updated":
        return this.#tasks.restore(event);
      default:
    }
  }

  take(): readonly ReinsEvent[] {
    return this.#envelope.take();
  }

  emit(event: EventPayload): void {
    this.#envelope.emit(event);
  }

  /** Drops deltas until the end of the turn, which is being cancelled while nobody reads. */
  dropDeltas(): void {
    this.#messages.dropping = true;
  }

  /** An agent takes the session. It emits `session.started` itself, or the recorder does before the first event of a turn. */
  startLeg(agent: string, leg: LegInfo): void {
    if (this.#envelope.agent !== agent) this.#state = undefined;
    this.#envelope.agent = agent;
    this.#leg = leg;
    this.#stateTold = false;
  }

  tellLeg(): void {
    if (this.#leg !== undefined) this.add({ type: "session.started", ...this.#leg, synthetic: true });
  }

  endLeg(): void {
    this.#tasks.stop();
  }

  /** The agent gives the running turn away: ends what it left open. The next agent may use the same ids. */
  suspendTurn(used: Pick<Ending, "usage" | "costUsd"> = {}): void {
    this.knowState(this.#agentState());
    this.requests.close("failed");
    this.#messages.close(this.#envelope.part);
    this.#tools.suspendTurn();
    this.#usage.suspendTurn(used);
  }

  /** No agent continues: the turn ends as the agent reported. */
  resumeTurn(): void {
    this.#usage.resumeTurn();
  }

  startTurn(id: string, event: TurnStart): void {
    this.#turn = { startedAt: this.#envelope.now(), files: new Set(), movedFrom: new Set(), ofSubagents: false };
    this.#envelope.turnId = id;
    this.#messages.lastText = "";
    this.#tools.startTurn();
    this.#usage.startTurn();
    this.emit(event);
  }

  /** Records the agent's state before the first tool of a leg (law 7). */
  knowState(state: string | undefined): void {
    // A new leg records the state again, even if it is the same.
    if (state === undefined || (state === this.#state && this.#stateTold)) return;
    this.#learnState(state);
    if (this.#leg !== undefined) this.add({ type: "session.started", ...this.#leg, state, synthetic: true });
    else this.emit({ type: "session.updated", state, by: "agent", synthetic: true });
  }

  ensureTool(wanted: WantedTool, nativeName: string): void {
    this.knowState(this.#agentState());
    this.#inTurn(wanted.parent);
    this.#tools.ensure(wanted.parent === undefined ? wanted : this.#ofSubagent(wanted, wanted.parent), nativeName);
  }

  /** Records one event of the agent. The session handles `turn.ended` and `tool.held`. */
  add(said: Exclude<AgentEvent, { type: "turn.ended" | "tool.held" }>): void {
    // An event of a subagent may start its call.
    if (said.parent !== undefined) this.knowState(this.#agentState());
    const event = said.parent === undefined ? said : this.#ofSubagent(said, said.parent);
    switch (event.type) {
      case "message.delta":
      case "thought.delta":
        this.#inTurn(event.parent);
        return this.#messages.delta(event, this.#envelope.part);
      case "message.completed":
      case "thought.completed":
        this.#inTurn(event.parent);
        return this.#messages.completed(event, this.#envelope.part);
      case "message.discarded":
        return this.#messages.discarded(event, this.#envelope.part);
      case "tool.started":
        this.knowState(this.#agentState());
        this.#inTurn(event.parent);
        return this.#tools.started(event);
      case "tool.progress":
        return this.#tools.progress(event);
      case "tool.completed":
      case "tool.failed":
        return this.#tools.ended(event);
      case "file.changed":
        this.#fileChanged(event);
        return this.emit(this.#tools.named(event));
      case "permission.requested":
        this.knowState(this.#agentState());
        this.#inTurn(event.parent);
        return this.requests.requested(event);
      case "question.requested":
        this.#inTurn(event.parent);
        return this.requests.requested(event);
      case "permission.resolved":
      case "question.resolved":
        return this.requests.resolved(event);
      case "task.started":
        return this.#tasks.started(event);
      case "task.updated":
        return this.#tasks.updated(event);
      case "session.started":
        return this.#sessionStarted(event);
      case "session.updated":
        this.#learnState(event.state);
        return this.emit(event);
      case "usage.updated":
        return this.emit(this.#usage.told(this.#envelope.agent, event));
      case "turn.phase":
        if (this.#turn !== undefined) {
          this.#inTurn(event.parent);
          this.emit(event);
        }
        return;
      default:
        this.emit(event);
    }
  }

  /** Ends the messages of the turn and returns the last one. */
  endMessages(): string {
    this.#messages.close(this.#envelope.part);
    return this.#messages.lastText;
  }

  /** Ends everything that is open, and the turn. Does nothing without a turn. */
  endTurn(ending: Ending): EventOf<"turn.completed"> | undefined {
    const turn = this.#turn;
    if (turn === undefined) return undefined;
    this.#envelope.endPhases();
    const { outcome, filesChangedIncomplete } = ending;
    const { usage, costUsd } = this.#usage.ofTurn(ending);
    this.requests.close(outcome);
    this.#messages.close(this.#envelope.part);
    this.#tools.close(outcome);
    const background = this.#tasks.stillRunning(ending.background);
    this.emit({
      type: "turn.completed",
      outcome,
      error: needError.has(outcome) ? (ending.error ?? unexplained(outcome)) : undefined,
      text: this.#messages.lastText,
      usage,
      costUsd,
      costSource: costUsd === undefined ? undefined : ending.costSource,
      next: ending.next,
      durationMs: this.#envelope.now() - turn.startedAt,
      toolCalls: this.#tools.count,
      filesChanged: [...turn.files],
      filesChangedIncomplete,
      background: background.length > 0 ? background : undefined,
      state: ending.state ?? this.#state,
    });
    this.#turn = undefined;
    const completed = this.last as EventOf<"turn.completed">;
    this.#envelope.turnId = undefined;
    return completed;
  }

  #learnState(state: string | undefined): void {
    if (state === undefined) return;
    this.#state = state;
    this.#stateTold = true;
  }

  /** Emits `session.started` once per leg; later ones become updates. */
  #sessionStarted(event: AgentEventOf<"session.started">): void {
    this.#learnState(event.state);
    if (this.#leg !== undefined) {
      this.#leg = undefined;
      return this.emit(event);
    }
    const { model, mode, nativeMode, tools, state } = event;
    this.emit({ type: "session.updated", model, mode, nativeMode, tools, state, by: "agent" });
  }

  #fileChanged({ path, oldPath, parent }: AgentEventOf<"file.changed">): void {
    const turn = this.#inTurn(parent);
    turn.files.add(path);
    if (oldPath !== undefined) turn.movedFrom.add(oldPath);
  }

  #ofSubagent<Event extends { parent?: string | undefined }>(event: Event, parent: string): Event {
    this.#inTurn(parent);
    this.#tools.ensureParent(parent);
    const name = this.#tools.nameOf(parent);
    return name === parent ? event : { ...event, parent: name };
  }

  /** The turn that an event belongs to. Work outside a turn starts one with origin `agent` (law 1). */
  #inTurn(parent: string | undefined): OpenTurn {
    this.tellLeg();
    if (this.#turn === undefined) {
      this.startTurn(newTurnId(), { type: "turn.started", origin: "agent", cause: this.#tasks.causeOf(parent) });
      this.#turn!.ofSubagents = true;
    }
    if (parent === undefined) this.#turn!.ofSubagents = false;
    return this.#turn!;
  }
}

function unexplained(outcome: Outcome): ErrorInfo {
  return { code: "internal", message: `The turn ended as ${outcome} and the agent did not say why.`, retryable: false };
}

export function newTurnId(): string {
  return `turn_${randomId()}`;
}
