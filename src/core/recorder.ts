/**
 * From what an agent says to what readers see: stamps events and keeps the laws of the vocabulary, whatever the agent does.
 * Nothing here waits and nothing here does I/O; the session tells it what happens, in order.
 */
import { clipText } from "../events/clip.ts";
import type { ErrorInfo } from "../events/errors.ts";
import type { Limits } from "../events/limits.ts";
import type { Mode } from "../events/modes.ts";
import type { Redactor } from "../events/redact.ts";
import { toolKinds } from "../events/tools.ts";
import type { AgentEvent, AgentEventOf, EventOf, EventPayload, Outcome, ReinsEvent, Tokens } from "../events/types.ts";
import { CallNames } from "./call-names.ts";
import { OpenMessages } from "./open-messages.ts";

export interface RecorderOptions {
  readonly sessionId: string;
  readonly redact: Redactor;
  readonly limits: Limits;
  readonly now?: () => number;
}

/** How a turn ends, from the agent or from the core. */
export interface Ending {
  readonly outcome: Outcome;
  readonly error?: ErrorInfo | undefined;
  readonly usage?: Tokens | undefined;
  readonly costUsd?: number | undefined;
  readonly filesChangedIncomplete?: boolean | undefined;
  readonly state?: string | undefined;
}

/** What is known of a leg before its agent speaks. */
export interface LegInfo {
  readonly mode: Mode;
  readonly cwd: string;
  readonly resumed: boolean;
}

interface OpenTool {
  readonly startedAt: number;
  readonly parent: string | undefined;
  denied: boolean;
}

interface OpenTurn {
  readonly id: string;
  readonly startedAt: number;
  readonly tools: Map<string, OpenTool>;
  readonly closedTools: Set<string>;
  readonly permissions: Map<string, string>;
  readonly questions: Set<string>;
  readonly files: Set<string>;
  toolCalls: number;
}

const needError: ReadonlySet<Outcome> = new Set(["failed", "refused", "budget", "interrupted"]);

export class Recorder {
  /** Who speaks now; a switch changes it. */
  agent = "";
  readonly #options: RecorderOptions;
  readonly #now: () => number;
  readonly #messages: OpenMessages;
  readonly #tasks = new Map<string, { readonly callId: string | undefined; running: boolean }>();
  readonly #calls = new CallNames();
  readonly #requests = new Set<string>();
  /** The task that was heard of last. */
  #lastTask: string | undefined;
  #turn: OpenTurn | undefined;
  #seq = 0;
  #out: ReinsEvent[] = [];
  #time = "";
  #timeMs = 0;
  #state: string | undefined;
  /** A leg whose `session.started` is still to come. */
  #leg: LegInfo | undefined;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#messages = new OpenMessages(options.redact, options.limits.inlineBytes);
  }

  get turnId(): string | undefined {
    return this.#turn?.id;
  }

  get lastSeq(): number {
    return this.#seq;
  }

  /** The event stamped last, until it is taken. */
  get last(): ReinsEvent | undefined {
    return this.#out.at(-1);
  }

  /** Deltas are dropped from here to the end of the turn: it is being cancelled and nobody reads. */
  dropDeltas(): void {
    this.#messages.dropping = true;
  }

  /** What was stamped since the last call. */
  take(): readonly ReinsEvent[] {
    const out = this.#out;
    this.#out = [];
    return out;
  }

  /** An event of the core's own. */
  say(event: EventPayload): void {
    this.#stamp(this.#clean(event));
  }

  startTurn(
    id: string,
    event: Omit<EventOf<"turn.started">, "v" | "seq" | "time" | "sessionId" | "turnId" | "agent">,
  ): void {
    this.#turn = {
      id,
      startedAt: this.#now(),
      tools: new Map(),
      closedTools: new Set(),
      permissions: new Map(),
      questions: new Set(),
      files: new Set(),
      toolCalls: 0,
    };
    this.#messages.lastText = "";
    this.#stamp(this.#clean(event));
  }

  /** An agent took the session up; it says `session.started` itself, or it is said for it before anything of a turn. */
  startLeg(leg: LegInfo): void {
    this.#leg = leg;
  }

  /** The agent is gone, and its tasks with it. */
  endLeg(): void {
    for (const [taskId, task] of this.#tasks) {
      if (task.running) this.#task({ type: "task.updated", taskId, status: "stopped", synthetic: true });
    }
  }

  /** The agent's state is known: it goes into the log before the first tool of a leg (law 7). */
  knowState(state: string | undefined): void {
    if (state === undefined || state === this.#state) return;
    this.#state = state;
    if (this.#leg !== undefined) this.add({ type: "session.started", ...this.#leg, state, synthetic: true });
    else this.#stamp({ type: "session.updated", state, by: "agent", synthetic: true });
  }

  /** Takes one thing the agent said. `turn.ended` and `tool.held` are the session's business. */
  add(said: Exclude<AgentEvent, { type: "turn.ended" | "tool.held" }>): void {
    const event = said.parent === undefined ? said : this.#ofSubagent(said);
    switch (event.type) {
      case "message.delta":
      case "thought.delta":
        this.#inTurn(event);
        return this.#messages.delta(event, this.#stampPart);
      case "message.completed":
      case "thought.completed":
        this.#inTurn(event);
        return this.#messages.completed(event, this.#stampPart);
      case "message.discarded":
        return this.#messages.discarded(event, this.#stampPart);
      case "tool.started":
        return this.#toolStarted(event);
      case "tool.progress": {
        const callId = this.#calls.nameOf(event.callId);
        if (this.#turn?.tools.has(callId) === true) this.#stamp(this.#clean({ ...event, callId }));
        return;
      }
      case "tool.completed":
      case "tool.failed":
        return this.#toolEnded(event);
      case "file.changed":
        this.#inTurn(event).files.add(event.path);
        this.#stamp(this.#clean(this.#named(event)));
        return;
      case "permission.requested":
        return this.#permissionRequested(event);
      case "permission.resolved":
        return this.resolvePermission(event);
      case "question.requested":
        if (!this.#newRequest(event.requestId)) return;
        this.#inTurn(event).questions.add(event.requestId);
        this.#stamp(this.#clean(this.#named(event)));
        return;
      case "question.resolved":
        return this.resolveQuestion(event);
      case "task.started":
        return this.#taskStarted(event);
      case "task.updated":
        this.#task(event);
        return;
      case "session.started":
        return this.#sessionStarted(event);
      case "session.updated":
        if (event.state !== undefined) this.#state = event.state;
        this.#stamp(this.#clean(event));
        return;
      case "turn.phase":
        if (this.#turn !== undefined) this.#stamp(event);
        return;
      default:
        this.#stamp(this.#clean(event));
    }
  }

  /** Makes sure that the call is open: a permission or a hold may come before the agent reported its tool (law 2). */
  ensureTool(
    event: Pick<AgentEventOf<"permission.requested">, "callId" | "tool" | "title" | "input" | "locations" | "parent">,
    nativeName: string,
  ): void {
    const turn = this.#inTurn(event);
    if (turn.tools.has(this.#calls.nameOf(event.callId))) return;
    const { callId, tool, title, input, locations, parent } = event;
    this.#calls.forget(callId);
    this.#toolStarted({
      type: "tool.started",
      callId,
      tool,
      nativeName,
      kind: toolKinds[tool],
      title,
      input,
      locations,
      parent,
      synthetic: true,
    });
  }

  /** Asked before, answered or not: an agent that asks twice under one id is asking once. */
  knowsRequest(requestId: string): boolean {
    return this.#requests.has(requestId);
  }

  isPending(requestId: string): boolean {
    return this.#turn !== undefined && (this.#turn.permissions.has(requestId) || this.#turn.questions.has(requestId));
  }

  resolvePermission(event: AgentEventOf<"permission.resolved">): void {
    const callId = this.#turn?.permissions.get(event.requestId);
    if (this.#turn === undefined || callId === undefined) return;
    this.#turn.permissions.delete(event.requestId);
    if (event.outcome === "denied") this.denyTool(callId);
    this.#stamp(this.#clean(event));
  }

  resolveQuestion(event: AgentEventOf<"question.resolved">): void {
    if (this.#turn?.questions.delete(event.requestId) !== true) return;
    this.#stamp(this.#clean(event));
  }

  /** Somebody said no to this call: when it fails, that is why. */
  denyTool(callId: string): void {
    const tool = this.#turn?.tools.get(this.#calls.nameOf(callId));
    if (tool !== undefined) tool.denied = true;
  }

  /** Files the agent is known to have reported in this turn. */
  get reportedFiles(): ReadonlySet<string> {
    return this.#turn?.files ?? new Set();
  }

  /** Closes what is open and the turn itself. Without a turn it does nothing: a stray end means nothing. */
  endTurn(ending: Ending): EventOf<"turn.completed"> | undefined {
    const turn = this.#turn;
    if (turn === undefined) return undefined;
    const by = ending.outcome === "cancelled" ? "cancel" : ending.outcome === "interrupted" ? "recovery" : "agent";
    for (const requestId of turn.permissions.keys()) {
      this.#stamp({ type: "permission.resolved", requestId, outcome: "cancelled", by, synthetic: true });
    }
    for (const requestId of turn.questions) {
      this.#stamp({ type: "question.resolved", requestId, outcome: "cancelled", by, synthetic: true });
    }
    this.#messages.close(this.#stampPart);
    for (const [callId, tool] of turn.tools) {
      const reason = tool.denied ? "denied" : ending.outcome === "cancelled" ? "cancelled" : "unfinished";
      const message = tool.denied ? "It was not allowed." : `The turn ended (${ending.outcome}) before it did.`;
      this.#stamp({ type: "tool.failed", callId, error: { message }, reason, parent: tool.parent, synthetic: true });
    }
    const background = [...this.#tasks].filter(([, task]) => task.running).map(([taskId]) => taskId);
    const completed: EventPayload = {
      type: "turn.completed",
      outcome: ending.outcome,
      error: needError.has(ending.outcome)
        ? (ending.error ?? {
            code: "internal",
            message: `The turn ended as ${ending.outcome} and the agent did not say why.`,
            retryable: false,
          })
        : undefined,
      text: this.#messages.lastText,
      usage: ending.usage,
      costUsd: ending.costUsd,
      durationMs: this.#now() - turn.startedAt,
      toolCalls: turn.toolCalls,
      filesChanged: [...turn.files],
      filesChangedIncomplete: ending.filesChangedIncomplete,
      background: background.length > 0 ? background : undefined,
      state: ending.state ?? this.#state,
    };
    this.#stamp(this.#clean(completed));
    this.#turn = undefined;
    return this.#out.at(-1) as EventOf<"turn.completed">;
  }

  /** One a leg: what an agent tells again, or late, is an update. */
  #sessionStarted(event: AgentEventOf<"session.started">): void {
    if (event.state !== undefined) this.#state = event.state;
    if (this.#leg !== undefined) {
      this.#leg = undefined;
      this.#stamp(this.#clean(event));
      return;
    }
    const { model, mode, nativeMode, tools, state } = event;
    this.#stamp(this.#clean({ type: "session.updated", model, mode, nativeMode, tools, state, by: "agent" }));
  }

  #toolStarted(event: AgentEventOf<"tool.started">): void {
    const turn = this.#inTurn(event);
    const known = this.#calls.nameOf(event.callId);
    if (turn.tools.has(known)) {
      // Started already, because its permission came first: the agent may know more of it now.
      const { input, title, locations, parent } = event;
      this.#stamp(this.#clean({ type: "tool.progress", callId: known, input, title, locations, parent }));
      return;
    }
    if (turn.closedTools.has(known) && this.#calls.knows(event.callId)) return;
    const callId = this.#calls.begin(event.callId);
    turn.toolCalls++;
    turn.tools.set(callId, { startedAt: this.#now(), parent: event.parent, denied: false });
    this.#stamp(this.#clean({ ...event, callId }));
  }

  #toolEnded(event: AgentEventOf<"tool.completed" | "tool.failed">): void {
    const turn = this.#turn;
    const callId = this.#calls.nameOf(event.callId);
    // The end of a call that belongs to no open turn was told already, when its turn ended.
    const open = turn?.tools.get(callId);
    if (turn === undefined || open === undefined) return;
    turn.tools.delete(callId);
    turn.closedTools.add(callId);
    if (event.type === "tool.failed") {
      const { message, ...error } = event.error;
      const reason = open.denied ? "denied" : event.reason;
      this.#stamp(this.#clean({ ...event, callId, error: { ...error, message: this.#keep(message).text }, reason }));
      return;
    }
    if (open.denied) {
      this.say({
        type: "notice",
        level: "error",
        code: "divergence",
        message: "The agent says that it ran a tool which was denied.",
      });
    }
    const { text, bytes, ...rest } = event.output;
    const kept = this.#keep(text);
    const output = {
      ...rest,
      text: kept.text,
      bytes: kept.whole ? kept.kept : Math.max(bytes, Buffer.byteLength(text)),
      kept: kept.kept,
    };
    this.#stamp({
      ...this.#clean({ ...event, callId, output }),
      durationMs: event.durationMs ?? this.#now() - open.startedAt,
    });
  }

  /** As much of a text as is kept, redacted. Only what can be kept, and a margin, is looked at: a huge text costs no more. */
  #keep(text: string): { text: string; kept: number; whole: boolean } {
    const { redact, limits } = this.#options;
    const margin = limits.inlineBytes + 4096;
    const clipped = clipText(redact(text.slice(0, margin)), limits.inlineBytes);
    return { text: clipped.text, kept: clipped.kept, whole: clipped.kept === clipped.bytes && text.length <= margin };
  }

  #newRequest(requestId: string): boolean {
    if (this.#requests.has(requestId)) return false;
    this.#requests.add(requestId);
    return true;
  }

  #permissionRequested(event: AgentEventOf<"permission.requested">): void {
    if (!this.#newRequest(event.requestId)) return;
    this.ensureTool(event, event.tool);
    const callId = this.#calls.nameOf(event.callId);
    this.#inTurn(event).permissions.set(event.requestId, callId);
    this.#stamp(this.#clean({ ...event, callId }));
  }

  #taskStarted(event: AgentEventOf<"task.started">): void {
    const { taskId, callId, status } = event;
    if (this.#tasks.has(taskId))
      return this.#task({ type: "task.updated", taskId, callId, title: event.title, status });
    this.#tasks.set(taskId, { callId, running: status === "running" });
    this.#stamp(this.#clean(this.#named(event)));
  }

  #task(event: AgentEventOf<"task.updated">): void {
    const { taskId, callId, title } = event;
    this.#lastTask = taskId;
    if (!this.#tasks.has(taskId)) {
      this.#taskStarted({
        type: "task.started",
        taskId,
        callId,
        kind: "other",
        title: title ?? taskId,
        status: "running",
        synthetic: true,
      });
    }
    this.#tasks.get(taskId)!.running = event.status === "running";
    this.#stamp(this.#clean(this.#named(event)));
  }

  /** The call as readers know it; one they never heard of is not named. */
  #named<Event extends { callId?: string | undefined }>(event: Event): Event {
    if (event.callId === undefined) return event;
    return { ...event, callId: this.#calls.knows(event.callId) ? this.#calls.nameOf(event.callId) : undefined };
  }

  /** A subagent's event belongs to a call; one that was never reported is started for it. */
  #ofSubagent<Event extends { parent?: string | undefined }>(event: Event): Event {
    const parent = event.parent!;
    if (!this.#calls.knows(parent)) {
      this.#toolStarted({
        type: "tool.started",
        callId: parent,
        tool: "task",
        nativeName: "task",
        kind: toolKinds.task,
        title: "Subagent",
        input: {},
        synthetic: true,
      });
    }
    const name = this.#calls.nameOf(parent);
    return name === parent ? event : { ...event, parent: name };
  }

  /** The turn this belongs to; work outside of one is work the agent began itself (law 1). */
  #inTurn(event: { readonly parent?: string | undefined }): OpenTurn {
    if (this.#leg !== undefined) this.add({ type: "session.started", ...this.#leg, synthetic: true });
    if (this.#turn !== undefined) return this.#turn;
    let cause = this.#lastTask;
    if (event.parent !== undefined)
      for (const [taskId, { callId }] of this.#tasks) if (callId === event.parent) cause = taskId;
    this.startTurn(newTurnId(), { type: "turn.started", origin: "agent", cause });
    return this.#turn!;
  }

  #clean<Event extends object>(event: Event): Event {
    return this.#options.redact.deep(event);
  }

  readonly #stampPart = (event: EventPayload): void => {
    if (event.type === "message.delta" && event.raw === undefined) {
      // Nearly all of a long stream: spelled out, because copying an unknown object costs several times as much.
      this.#out.push({
        v: 1,
        seq: ++this.#seq,
        time: this.#clock(),
        sessionId: this.#options.sessionId,
        turnId: this.#turn?.id,
        agent: this.agent,
        type: "message.delta",
        messageId: event.messageId,
        text: event.text,
        parent: event.parent,
      });
    } else {
      this.#stamp(event.type === "message.completed" || event.raw !== undefined ? this.#clean(event) : event);
    }
  };

  #stamp(event: EventPayload): void {
    this.#out.push({
      v: 1,
      seq: ++this.#seq,
      time: this.#clock(),
      sessionId: this.#options.sessionId,
      turnId: this.#turn?.id,
      agent: this.agent,
      ...event,
    });
  }

  #clock(): string {
    const ms = this.#now();
    if (ms !== this.#timeMs) {
      this.#timeMs = ms;
      this.#time = new Date(ms).toISOString();
    }
    return this.#time;
  }
}

export function newTurnId(): string {
  return `turn_${crypto.randomUUID()}`;
}
