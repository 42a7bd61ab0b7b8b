import { openJsonRpc, type JsonRpc } from "../../protocols/json-rpc/index.ts";
import { record, text } from "../../protocols/json.ts";
import { ReinsError, toReinsError, type ErrorCode } from "../../events/errors.ts";
import type { Mode } from "../../events/modes.ts";
import type { AgentEvent } from "../../events/types.ts";
import type { AgentContext, AgentSession, Answer, OpenOptions, PromptInput } from "../contract.ts";
import type { PrivateFiles } from "../shared/program/private-files.ts";
import { conversationState } from "../../protocols/conversation-state.ts";
import { explained } from "./failures.ts";
import { initialize, partsOf, promptBody, requireModel, shownModel, type Opened, type Server } from "./launch.ts";
import { program, type OwnModel } from "./program.ts";
import { Incoming, missedEvents } from "./translate-incoming.ts";
import { readingOf } from "./usage.ts";

export interface SessionParts {
  readonly context: AgentContext;
  readonly options: OpenOptions;
  readonly server: Server;
  readonly files: PrivateFiles;
  readonly resume: string | undefined;
  /** Why an earlier server could not be used. */
  readonly failedBefore?: string | undefined;
}

/** Commands of OpenCode's screen that its server has as a request. */
const compactCommand = /^\/(?:compact|summarize)\s*$/;
/** An aborted answer usually ends at once. */
const settleMs = 1_000;

export class OpencodeSession implements AgentSession {
  readonly events: AsyncIterable<readonly AgentEvent[]>;
  readonly #context: AgentContext;
  readonly #options: OpenOptions;
  readonly #server: Server;
  readonly #resume: string | undefined;
  readonly #rpc: JsonRpc;
  #incoming: Incoming | undefined;
  #opened: Opened | undefined;
  readonly #held = Promise.withResolvers<void>();
  readonly #listening = Promise.withResolvers<void>();
  #model: OwnModel | undefined;
  #prompts = 0;
  /** Notices for the first turn. */
  readonly #startNotices: AgentEvent[] = [];
  /** Set while a prompt is prepared; a cancel aborts it. */
  #sending: AbortController | undefined;
  #aborting = false;
  #gone = false;
  #closing: Promise<void> | undefined;
  readonly #cleaned: Promise<void>;

  constructor({ context, options, server, files, resume, failedBefore }: SessionParts) {
    this.#context = context;
    this.#options = options;
    this.#server = server;
    this.#resume = resume;
    if (failedBefore !== undefined) {
      const message = `OpenCode was restarted, because it could not be used at first: ${failedBefore}`;
      this.#startNotices.push({ type: "notice", level: "info", code: "restarted", message });
    }
    // Prevents an unhandled rejection when nobody awaits it.
    this.#listening.promise.catch(() => {});
    this.#rpc = openJsonRpc({
      child: server.child,
      name: "OpenCode",
      agent: "opencode",
      requestMs: context.deadlines.request,
      drainMs: context.deadlines.drain,
      onNotification: (method, params, _message, out) => {
        if (method === "reins/ready") this.#held.resolve();
        else if (method === "http/listening") this.#listening.resolve();
        else if (method === "http/lost") this.#lost(params);
        this.#incoming?.told(method, params, out);
      },
      onRequest: (request, out) => this.#incoming?.asked(request, out),
      onWithdrawn: (id, out) => out.push(...(this.#incoming?.requests.withdrawn(id) ?? [])),
      onExit: (exit, stderrTail, out) => {
        this.#gone = true;
        const exited: AgentEvent = { type: "process.exited", ...exit, stderrTail };
        out.push(...(this.#incoming?.translator.exited(exit, stderrTail) ?? [exited]));
      },
    });
    this.events = this.#rpc.events;
    this.#cleaned = server.child.exited.then(() => files.remove());
  }

  get state(): string | undefined {
    const known = this.#prompts > 0 || (this.#resume !== undefined && this.#options.fork !== true);
    return known && this.#id !== "" ? conversationState(program).encode(this.#id) : undefined;
  }

  async open(): Promise<void> {
    const { cwd, mode } = this.#options;
    const resumed = this.#resume !== undefined;
    const { start, probe } = this.#context.deadlines;
    const { url, gone } = this.#server;
    const about = { rpc: this.#rpc, url, gone, held: this.#held.promise, heldMs: probe, deadlineMs: start };
    const opened = (this.#opened = await initialize(about, this.#options, this.#resume));
    this.#model = opened.model;
    for (const message of opened.notices)
      this.#startNotices.push({ type: "notice", level: "warning", code: "mcp", message });
    this.#incoming = this.#incomingOf(opened);
    await this.#rpc.notify("http/listen", { path: "/event" });
    await this.#rpc.readUntil(Promise.race([this.#listening.promise, gone])).catch((error: unknown) => {
      throw explained(error);
    });
    const { model } = this.#translator;
    const compact = { name: "compact", description: "Sum up the conversation so far to make room." };
    this.#rpc.say(
      {
        type: "session.started",
        model,
        modelLabel: model === undefined ? undefined : opened.catalog.labelOf(model),
        mode,
        nativeMode: this.#agentFor(mode),
        cwd,
        resumed,
        agentVersion: opened.version,
        state: this.state,
      },
      { type: "session.updated", commands: [compact], by: "agent" },
    );
  }

  async prompt(input: PromptInput): Promise<void> {
    const { turns } = this.#translator;
    if (this.#closing !== undefined) throw refused("invalid_input", "The session is closed.");
    if (this.#gone) throw refused("agent_crashed", "OpenCode has ended.");
    if (turns.prompted || this.#sending !== undefined)
      throw refused("session_busy", "OpenCode is already working on a prompt.");
    const sending = (this.#sending = new AbortController());
    try {
      const parts = await this.#partsOf(input);
      if (sending.signal.aborted) throw refused("cancelled", "The prompt was cancelled before it was sent.");
      this.#prompts++;
      this.#incoming?.names.prompted();
      // The answer to the request may come after the end of a short turn.
      this.#sending = undefined;
      this.#rpc.say(...this.#startNotices.splice(0));
      if (compactCommand.test(input.text)) void this.#compact();
      else await this.#send(parts);
    } finally {
      this.#sending = undefined;
    }
  }

  /** OpenCode reads the message after the running tools, or right after its answer. */
  async steer(input: PromptInput): Promise<void> {
    const parts = await this.#partsOf(input);
    if (!this.#translator.turns.running || this.#aborting)
      throw refused("invalid_input", "No turn is running, so there is nothing to steer.");
    await this.#send(parts);
  }

  answer(requestId: string, answer: Answer): void {
    this.#incoming?.requests.answer(requestId, answer);
  }

  async configure({ model, mode }: { model?: string | undefined; mode?: Mode | undefined }): Promise<void> {
    if (model !== undefined && this.#opened !== undefined) {
      this.#model = requireModel(this.#opened.catalog, model);
      this.#translator.model = shownModel(this.#model);
    }
    if (mode !== undefined && this.#incoming !== undefined) this.#incoming.mode = mode;
  }

  /** Only requests the abort: the end of the turn comes as an event, and the core stops a program that does not react. */
  async cancel(): Promise<void> {
    this.#sending?.abort();
    const incoming = this.#incoming;
    if (incoming === undefined) return;
    if (incoming.translator.turns.running) {
      incoming.translator.turns.cancelling = true;
      this.#abort();
    }
    for (const id of incoming.translator.sessions.running) void this.#rpc.request(`POST /session/${id}/abort`);
  }

  /** The plugin ends the server when its input ends; commands of its tools end with the process group. */
  close(): Promise<void> {
    this.#closing ??= this.#server.child.stop({ politely: true }).then(() => this.#cleaned);
    return this.#closing;
  }

  get #translator() {
    if (this.#incoming === undefined) throw refused("internal", "The session is not open.");
    return this.#incoming.translator;
  }

  #incomingOf(opened: Opened): Incoming {
    const { conversation, servers, catalog, planFiles } = opened;
    const incoming = new Incoming({
      ...this.#options,
      session: this.#id,
      servers,
      planFiles,
      worker: () => opened.worker,
      release: (holdId, reply) => this.#rpc.respond(holdId, reply),
      post: (path, body) => void this.#rpc.request(`POST ${path}`, body),
      say: (events) => this.#rpc.say(...events),
      stop: () => {
        incoming.translator.turns.cancelling = true;
        this.#abort();
      },
      abort: () => this.#abort(),
      caughtUp: () => void this.#catchUp(),
    });
    incoming.translator.usage.contextSizes = catalog.contextSizes;
    incoming.translator.model = opened.model === undefined ? opened.configured : shownModel(opened.model);
    if (this.#resume !== undefined)
      incoming.translator.usage.resumed(readingOf(conversation["tokens"], conversation["cost"]));
    return incoming;
  }

  #partsOf(input: PromptInput): Promise<object[]> {
    return partsOf(input, this.#options.cwd, this.#context.limits.promptBytes);
  }

  #agentFor(mode: Mode): string {
    return mode === "plan" ? "plan" : (this.#opened?.worker ?? "build");
  }

  async #send(parts: readonly object[]): Promise<void> {
    const { turns } = this.#translator;
    turns.sent();
    const agent = this.#agentFor(this.#incoming?.mode ?? this.#options.mode);
    const body = promptBody(parts, agent, this.#model, this.#options.systemPrompt);
    try {
      await this.#rpc.request(`POST ${this.#path}/prompt_async`, body, { deadlineMs: this.#context.deadlines.start });
    } catch (error) {
      turns.notSent();
      throw error;
    }
  }

  /** The request is answered at the end; until then the events are those of a turn. */
  async #compact(): Promise<void> {
    const { turns } = this.#translator;
    turns.sent();
    const [, usedProvider = "", usedModel = ""] = /^([^/]*)\/(.*)$/s.exec(this.#translator.model ?? "") ?? [];
    const { providerID, modelID } = this.#model ?? { providerID: usedProvider, modelID: usedModel };
    const about = { providerID, modelID, auto: false };
    const request = this.#rpc.request(`POST ${this.#path}/summarize`, about, { deadlineMs: Infinity });
    await request.catch((error: unknown) => {
      turns.failed({ name: "UnknownError", data: { message: toReinsError(error).message } });
      turns.isIdle();
      this.#rpc.say(...(this.#incoming?.ended() ?? []));
    });
  }

  /** Holds are answered when the turn has ended, because the model would continue after a denial. */
  #abort(): void {
    if (this.#aborting) return;
    this.#aborting = true;
    this.#incoming?.requests.cancelAll();
    const { turns } = this.#translator;
    const settled = () => {
      if (!turns.stopping) return;
      turns.settle();
      this.#rpc.say(...(this.#incoming?.ended() ?? []));
      // The turn may have begun after the abort.
      if (turns.stopping) this.#abort();
    };
    void this.#rpc
      .request(`POST ${this.#path}/abort`)
      .catch(() => {})
      .finally(() => {
        this.#aborting = false;
        if (turns.stopping) setTimeout(settled, settleMs).unref();
      });
  }

  /** Called when the event stream broke and is connected again. */
  async #catchUp(): Promise<void> {
    const { first } = this.#translator.turns;
    if (first === undefined) return;
    const [messages, status] = await Promise.all([
      this.#rpc.request(`GET ${this.#path}/message?limit=50`),
      this.#rpc.request("GET /session/status"),
    ]).catch(() => [[], undefined]);
    const missed = missedEvents(this.#id, first, messages, status);
    this.#rpc.say(...missed.flatMap((event) => this.#incoming?.event(event) ?? []));
  }

  /** Called when the event stream is lost for good: the process is of no use any more. */
  #lost(params: unknown): void {
    const message = `Reins lost the event stream of OpenCode: ${text(record(params)["message"]) ?? "its stream ended"}`;
    this.#listening.reject(refused("agent_hung", message));
    const error = { code: "agent_hung", message, retryable: true, agent: "opencode" } as const;
    this.#incoming?.translator.turns.stop({ outcome: "failed", error });
    void this.#server.child.stop({ politely: false });
  }

  get #id(): string {
    return text(this.#opened?.conversation["id"]) ?? "";
  }

  get #path(): string {
    return `/session/${this.#id}`;
  }
}

function refused(code: ErrorCode, message: string): ReinsError {
  return new ReinsError(code, message, { agent: "opencode" });
}
