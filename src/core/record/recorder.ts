/**
 * From what an agent says to what readers see: the laws of the vocabulary are kept here, whatever the agent does. Nothing waits
 * and nothing does I/O; the session tells what happens, in order, and takes the events.
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
  /** Exactly these tasks still run; without it, those of which no end was told. */
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
  /** Of the live agent, as far as it has one: it is recorded before the first tool of a leg (law 7). */
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

  /** The turn is one that subagents began in the background; the agent itself takes no part in it. */
  get isOfSubagents(): boolean {
    return this.#turn?.ofSubagents === true;
  }

  /** Files the agent reported in this turn: that they changed, or that they are elsewhere now. */
  get reportedFiles(): ReadonlySet<string> {
    return new Set([...(this.#turn?.files ?? []), ...(this.#turn?.movedFrom ?? [])]);
  }

  /** Goes on behind what an earlier process recorded: each event of it, in order. Deltas count only where their turn is open. */
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

  /** Deltas are dropped from here to the end of the turn: it is being cancelled and nobody reads. */
  dropDeltas(): void {
    this.#messages.dropping = true;
  }

  /** An agent took the session up; it says `session.started` itself, or it is said for it before anything of a turn. */
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

  /** The agent gives the running turn away: what it left open ends here, and whoever goes on may use the same names. */
  suspendTurn(used: Pick<Ending, "usage" | "costUsd"> = {}): void {
    this.knowState(this.#agentState());
    this.requests.close("failed");
    this.#messages.close(this.#envelope.part);
    this.#tools.suspendTurn();
    this.#usage.suspendTurn(used);
  }

  /** Nobody goes on: the turn ends as the agent said that it does. */
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

  /** The agent's state is known: it goes into the log before the first tool of a leg (law 7). */
  knowState(state: string | undefined): void {
    // A new leg tells it again, also where it goes on from the same one.
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

  /** Takes one thing the agent said. `turn.ended` and `tool.held` are the session's business. */
  add(said: Exclude<AgentEvent, { type: "turn.ended" | "tool.held" }>): void {
    // Whatever a subagent says may make its call start.
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

  /** The agent said all it will in this turn: its last words. */
  endMessages(): string {
    this.#messages.close(this.#envelope.part);
    return this.#messages.lastText;
  }

  /** Closes what is open and the turn itself. Without a turn it does nothing: a stray end means nothing. */
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

  /** One a leg: what an agent tells again, or late, is an update. */
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

  /** The turn this belongs to; work outside of one is work the agent began itself (law 1). */
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
