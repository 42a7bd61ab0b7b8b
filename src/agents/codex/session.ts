import { toReinsError } from "../../events/errors.ts";
import type { Mode } from "../../events/modes.ts";
import type { AgentEvent } from "../../events/types.ts";
import { randomId } from "../../process/crypto.ts";
import type { Child } from "../../process/types.ts";
import { goneOf, openJsonRpc, refusalOf, rpcErrors, type JsonRpc, type Out } from "../../protocols/json-rpc/index.ts";
import { record, type JsonObject } from "../../protocols/json.ts";
import type { AgentContext, AgentSession, Answer, OpenOptions, PromptInput } from "../contract.ts";
import { openOrEnd } from "../shared/program/open-or-stop.ts";
import type { OpenSession } from "../shared/program/program-agent.ts";
import { tooOld } from "../shared/program/program.ts";
import { isServerless } from "./failures.ts";
import {
  collaboration,
  explained,
  initialize,
  inputOf,
  keyArguments,
  nativeMode,
  openThread,
  refused,
  serverArguments,
  streamRetriesIn,
  turnSettings,
  unservedServers,
} from "./launch.ts";
import { decodeState, encodeState, environmentOf, program } from "./program.ts";
import { CodexRequests, planEvents, type PlanAnswer } from "./requests.ts";
import { Translator } from "./translate.ts";

export interface SessionParts {
  readonly context: AgentContext;
  readonly options: OpenOptions;
  readonly child: Child;
  readonly resume: string | undefined;
}

export class CodexSession implements AgentSession {
  readonly events: AsyncIterable<readonly AgentEvent[]>;
  readonly #context: AgentContext;
  readonly #options: OpenOptions;
  readonly #child: Child;
  readonly #rpc: JsonRpc;
  readonly #resume: string | undefined;
  readonly #translator: Translator;
  readonly #requests: CodexRequests;
  #thread = "";
  #model = "";
  #effort: string | undefined;
  readonly #startNotices: AgentEvent[];
  #prompts = 0;
  #planned = false;
  /** Set while a prompt is prepared; a cancel aborts it. */
  #sending: AbortController | undefined;
  /** A cancel came before the turn had an id. */
  #cancelling = false;
  #streamRetries: Promise<number> | undefined;
  #closed = false;
  #gone = false;

  constructor({ context, options, child, resume }: SessionParts) {
    this.#context = context;
    this.#options = options;
    this.#child = child;
    this.#resume = resume;
    this.#startNotices = unservedServers(options).map(unserved);
    this.#translator = new Translator({
      ...options,
      prefix: `${randomId().slice(0, 8)}-${child.pid}-`,
      fresh: resume === undefined,
    });
    this.#requests = new CodexRequests({
      ...options,
      protectedFiles: context.protectedFiles,
      translator: this.#translator,
      respond: (id, response) => void this.#rpc.respond(id, response),
      refuse: (id) =>
        void this.#rpc.refuse(id, { code: rpcErrors.methodNotFound, message: "Reins does not support this request." }),
      interrupt: () => this.#interrupt(),
      planAnswered: (answer) => this.#planAnswered(answer),
    });
    this.#rpc = openJsonRpc({
      child,
      name: program.name,
      agent: program.id,
      requestMs: context.deadlines.request,
      drainMs: context.deadlines.drain,
      versioned: false,
      onNotification: (method, params, message, out) => this.#told(method, record(params), message, out),
      onRequest: (request, out) => out.push(...this.#requests.received(request)),
      onWithdrawn: (id, out) => out.push(...this.#requests.withdrawn(id)),
      onExit: (exit, stderrTail, out) => {
        this.#gone = true;
        out.push(...this.#translator.exited(exit, stderrTail));
      },
    });
    this.events = this.#rpc.events;
  }

  /** Undefined before the first prompt: Codex has saved nothing yet, so nothing can be resumed. */
  get state(): string | undefined {
    const known = this.#prompts > 0 || (this.#resume !== undefined && this.#options.fork !== true);
    return known ? encodeState(this.#thread) : undefined;
  }

  async open(): Promise<void> {
    const { cwd, mode } = this.#options;
    const { start } = this.#context.deadlines;
    const agentVersion = await initialize(this.#rpc, start);
    const thread = await openThread(this.#rpc, this.#options, this.#resume, start);
    this.#thread = thread.id;
    this.#model = thread.model;
    this.#effort = thread.effort;
    this.#translator.opened(thread.id);
    this.#rpc.say({
      type: "session.started",
      model: thread.model,
      mode,
      nativeMode: nativeMode(mode),
      cwd,
      resumed: this.#resume !== undefined,
      agentVersion,
      state: this.state,
    });
  }

  async prompt(input: PromptInput): Promise<void> {
    if (this.#closed) throw refused("invalid_input", "The session is closed.");
    if (this.#gone) throw refused("agent_crashed", "Codex has ended.");
    // Codex would silently merge a second prompt into the running turn.
    if (this.#translator.busy || this.#sending !== undefined)
      throw refused("session_busy", "Codex is already working on a prompt.");
    const sending = (this.#sending = new AbortController());
    try {
      const items = await inputOf(input, this.#options.cwd, this.#context.limits.promptBytes);
      if (sending.signal.aborted) throw refused("cancelled", "The prompt was cancelled before it was sent.");
      this.#prompts++;
      this.#cancelling = false;
      this.#translator.prompted();
      const isCompacting = input.text.trim() === "/compact" && items.length === 1;
      this.#translator.items.compacting = isCompacting;
      await (isCompacting
        ? this.#ask("thread/compact/start", {})
        : this.#ask("turn/start", { input: items, ...this.#turnSettings() }));
    } catch (error) {
      // The events report that the process has ended.
      if (goneOf(error) !== undefined) return;
      this.#translator.refused();
      throw refusalOf(error) === undefined ? error : explained(error);
    } finally {
      this.#sending = undefined;
    }
  }

  /** Cuts off the current answer; the model continues with both prompts. */
  async steer(input: PromptInput): Promise<void> {
    const items = await inputOf(input, this.#options.cwd, this.#context.limits.promptBytes);
    const { turnId } = this.#translator;
    if (turnId === undefined) throw refused("invalid_input", "No turn is running, so there is nothing to steer.");
    await this.#ask("turn/steer", { expectedTurnId: turnId, input: items });
  }

  answer(requestId: string, answer: Answer): void {
    this.#requests.answer(requestId, answer);
  }

  /** A running turn keeps its settings, under which it asks about everything or can do nothing without asking. */
  async configure({ model, mode }: { model?: string | undefined; mode?: Mode | undefined }): Promise<void> {
    if (mode !== undefined && mode !== this.#translator.mode) {
      this.#translator.mode = mode;
      this.#requests.forget();
    }
    this.#model = model ?? this.#model;
  }

  /** Only requests the interrupt: the end of the turn comes as an event. */
  async cancel(): Promise<void> {
    this.#sending?.abort();
    if (this.#translator.proposed !== undefined) this.#say(() => this.#translator.ends({ outcome: "cancelled" }));
    else if (this.#translator.busy) this.#interrupt();
    for (const turn of this.#translator.subagents.turns) void this.#rpc.request("turn/interrupt", turn);
  }

  /**
   * Ends the process with a signal: offline, Codex would linger for seconds after its input is closed. It saves its
   * state when it gets the signal.
   */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#child.stop({ politely: false });
  }

  #told(method: string, params: JsonObject, message: JsonObject, out: Out): void {
    if (method === "serverRequest/resolved") {
      const id = this.#rpc.forget(params["requestId"]);
      if (id !== undefined) out.push(...this.#requests.withdrawn(id));
      return;
    }
    out.push(...this.#requests.told(this.#translator.notification(method, params, message)));
    if (method === "turn/started") out.push(...this.#startNotices.splice(0));
    if (method === "turn/started" && this.#cancelling) this.#interrupt();
    if (method === "turn/completed") this.#turnCompleted(params, out);
    if (method === "error" && this.#translator.waitsForNetwork > 0) void this.#perhapsGiveUp();
  }

  /** Codex waits for the network forever. Reins stops it after the number of retries that the configuration allows for streams. */
  async #perhapsGiveUp(): Promise<void> {
    const translator = this.#translator;
    this.#streamRetries ??= this.#rpc
      .request("config/read", {})
      .then(streamRetriesIn, () => streamRetriesIn(undefined));
    translator.mostRetries = await this.#streamRetries;
    if (translator.isGivenUp || translator.waitsForNetwork <= translator.mostRetries) return;
    translator.giveUp();
    this.#interrupt();
  }

  #turnCompleted(params: JsonObject, out: Out): void {
    const { proposed } = this.#translator;
    if (proposed !== undefined) out.push(...this.#requests.plan(proposed));
    // Commands survive an interrupt.
    if (record(params["turn"])["status"] !== "interrupted") return;
    void this.#rpc.request("thread/backgroundTerminals/clean", { threadId: params["threadId"] ?? this.#thread });
    out.push(...this.#translator.calls.backgroundStopped());
  }

  #turnSettings(): JsonObject {
    const { mode } = this.#translator;
    const settings = turnSettings({ mode, model: this.#model, effort: this.#effort, planned: this.#planned });
    this.#planned ||= mode === "plan";
    return settings;
  }

  #ask(method: string, params: JsonObject): Promise<unknown> {
    return this.#rpc.request(method, { threadId: this.#thread, ...params });
  }

  /** Does not await the answer: Codex sends none when no such turn runs. */
  #interrupt(): void {
    const { turnId } = this.#translator;
    this.#cancelling = turnId === undefined;
    if (turnId !== undefined) void this.#ask("turn/interrupt", { turnId });
  }

  /** Codex's own turn has ended, so it learns the answer to its plan in another one, which for Reins is the same turn. */
  #planAnswered({ approved, message = "", stop }: PlanAnswer): void {
    const callId = this.#translator.proposed?.callId;
    if (callId === undefined) return;
    if (stop)
      return this.#say(() => [...planEvents(callId, false), ...this.#translator.ends({ outcome: "cancelled" })]);
    this.#translator.proposed = undefined;
    if (approved) this.#translator.mode = "ask";
    this.#say(() => planEvents(callId, approved));
    // Not in plan mode: Codex would propose another plan, endlessly if nobody answers.
    const settings = { ...this.#turnSettings(), ...collaboration("default", this.#model, this.#effort) };
    const said = approved ? "Implement the plan." : `The plan was not approved; do not carry it out. ${message}`.trim();
    const input = [{ type: "text", text: said, text_elements: [] }];
    this.#ask("turn/start", { input, ...settings }).catch((error: unknown) => {
      if (goneOf(error) !== undefined) return;
      const { code, message: why, retryable } = explained(error);
      this.#say(() => this.#translator.ends({ outcome: "failed", error: { code, message: why, retryable } }));
    });
  }

  /** Emits events that no message caused. Sends a request without effect, whose answer wakes the reader. */
  #say(events: () => readonly AgentEvent[]): void {
    const onAnswer = (_: unknown, out: Out) => void out.push(...events());
    void this.#rpc.request("thread/loaded/list", {}, { onAnswer });
  }
}

function unserved(server: string): AgentEvent {
  const message = `Codex has no SSE transport; the session continues without the MCP server ${server}.`;
  return { type: "notice", level: "warning", code: "divergence", message };
}

export const openSession: OpenSession = async (context, options, command) => {
  const resume = options.state === undefined ? undefined : decodeState(options.state);
  const env = await environmentOf(context.env, options.env);
  const args = serverArguments(options.extraArgs);
  const key = await keyArguments(context, command, env);
  const child = await context.processes.launch({
    command: command.path,
    args: [...command.args, ...args, ...key],
    cwd: options.cwd,
    env,
    agent: program.id,
    sessionId: options.sessionId,
    stdin: "pipe",
  });
  const session = new CodexSession({ context, options, child, resume });
  try {
    return await openOrEnd(session, child, options.signal);
  } catch (error) {
    const said = goneOf(toReinsError(error).cause)?.stderrTail ?? "";
    throw isServerless(said) ? await tooOld(program, command, context, env, error) : error;
  }
};
