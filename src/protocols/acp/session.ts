/** One conversation with one agent over ACP. */
import { ReinsError } from "../../events/errors.ts";
import type { ErrorCode } from "../../events/errors.ts";
import type { Mode } from "../../events/modes.ts";
import type { AgentEvent } from "../../events/types.ts";
import { randomId } from "../../process/crypto.ts";
import type { Exit } from "../../process/types.ts";
import { openJsonRpc, rpcErrors } from "../json-rpc/index.ts";
import type { JsonRpc, Out, RpcRequest } from "../json-rpc/index.ts";
import { Choosing, offers, waysToResume } from "./settings.ts";
import { Asking, cancelledOutcome, OwnMethods } from "./requests.ts";
import { cancelledForm } from "./forms.ts";
import { Handshake, listSessions } from "./handshake.ts";
import type { Opened } from "./handshake.ts";
import { blocksOf } from "./content.ts";
import { callIn, isAhead, isOfCall, Overtaking } from "./messages.ts";
import { named, record } from "../json.ts";
import type { JsonObject } from "../json.ts";
import { encodeState } from "./types.ts";
import { Translator } from "./translate.ts";
import type { AcpAnswer, AcpListed, AcpModel, AcpOptions, AcpPrompt, AcpSession } from "./types.ts";

export class Session implements AcpSession {
  readonly events: AsyncIterable<readonly AgentEvent[]>;
  readonly #options: AcpOptions;
  readonly #rpc: JsonRpc;
  readonly #translator: Translator;
  readonly #asking: Asking;
  readonly #overtaking = new Overtaking();
  readonly #own: OwnMethods;
  readonly #choosing: Choosing;
  #opened: Opened | undefined;
  #prompts = 0;
  /** What was asked for and is not done, to be said in the first turn. */
  readonly #toSay: string[] = [];
  #gone = false;
  /** A prompt is being made ready to be sent; aborted by a cancel. */
  #sending: AbortController | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: AcpOptions) {
    this.#options = options;
    const { child, name, agent, deadlines, quirks, failures, cwd, mode } = options;
    this.#translator = new Translator({
      name,
      agent,
      quirks,
      failures,
      cwd,
      mode,
      resumed: options.resume !== undefined,
      prefix: `${randomId().slice(0, 8)}-`,
    });
    this.#rpc = openJsonRpc({
      child,
      name,
      agent,
      requestMs: deadlines.request,
      drainMs: deadlines.drain,
      cancelMethod: "$/cancel_request",
      onNotification: (method, params, message, out) => this.#told(method, params, message, out),
      onRequest: (request, out) => this.#asked(request, out),
      onWithdrawn: (requestId, out) => {
        this.#overtaking.dropped(requestId);
        this.#asking.withdrawn(requestId, out);
      },
      onExit: (exit, stderrTail, out) => this.#exited(exit, stderrTail, out),
    });
    this.#asking = new Asking({ rpc: this.#rpc, translator: this.#translator, cwd, quirks });
    this.#own = new OwnMethods({ rpc: this.#rpc, translator: this.#translator, asking: this.#asking, quirks });
    this.#choosing = new Choosing({
      name,
      agent,
      quirks,
      facts: this.#translator.facts,
      ask: (method, params) => this.#rpc.request(method, this.#here(params)),
    });
    this.events = this.#rpc.events;
  }

  /** Nothing is promised to be kept of a session that was never prompted. */
  get state(): string | undefined {
    const { resume, agent } = this.#options;
    if (this.#opened === undefined || !this.#resumable) return undefined;
    if (this.#prompts === 0 && resume === undefined) return undefined;
    return this.#options.stateOf?.(this.#opened.sessionId) ?? encodeState(agent, this.#opened.sessionId);
  }

  /** From the start of the process until it can take a prompt. */
  async open(): Promise<void> {
    const { mode, model, cwd, resume } = this.#options;
    this.#opened = await new Handshake(this.#rpc, this.#options, this.#translator).open();
    this.#toSay.push(...(this.#options.divergences ?? []), ...this.#opened.divergences);
    if (model !== undefined) this.#toSay.push(...(await this.#rpc.readUntil(this.#choosing.firstModel(model))));
    await this.#rpc.readUntil(this.#choosing.mode(mode));
    const { facts } = this.#translator;
    const current = facts.settings.current("model");
    facts.introduced = true;
    this.#rpc.say({
      type: "session.started",
      model: current?.id,
      modelLabel: current?.label,
      mode,
      nativeMode: facts.settings.current("mode")?.id,
      cwd,
      resumed: resume !== undefined,
      agentVersion: this.#opened.version,
      state: this.state,
    });
  }

  async prompt(input: AcpPrompt): Promise<void> {
    const { name, agent, cwd, limits } = this.#options;
    if (this.#closing !== undefined) throw this.#refused("invalid_input", "The session is closed.");
    if (this.#gone) throw this.#refused("agent_crashed", `${name} has ended.`);
    if (this.#translator.running || this.#sending !== undefined)
      throw this.#refused("session_busy", `${name} is already working on a prompt.`);
    const sending = (this.#sending = new AbortController());
    try {
      const capabilities = record(this.#opened?.capabilities["promptCapabilities"]);
      const blocks = await blocksOf(input, { name, agent, cwd, maxBytes: limits.promptBytes, capabilities });
      const prompt = this.#options.quirks.prompt?.(blocks) ?? blocks;
      if (sending.signal.aborted) throw this.#refused("cancelled", "The prompt was cancelled before it was sent.");
      this.#prompts++;
      this.#translator.prompted();
      for (const message of this.#toSay.splice(0))
        this.#rpc.say({ type: "notice", level: "warning", code: "divergence", message });
      void this.#rpc.request("session/prompt", this.#here({ prompt }), {
        deadlineMs: Infinity,
        onAnswer: (answer, out) => {
          this.#tellHeld(out);
          const from = out.length;
          this.#translator.ended(answer, out);
          this.#dropOvertaking();
          this.#asking.turnEnded();
          this.#keepRaw(from, answer, out);
        },
      });
    } finally {
      this.#sending = undefined;
    }
  }

  answer(requestId: string, answer: AcpAnswer): void {
    this.#asking.answer(requestId, answer);
    if (answer.decision === "deny" && answer.stop === true) void this.cancel();
  }

  async configure({ model, mode }: { model?: string | undefined; mode?: Mode | undefined }): Promise<void> {
    if (model !== undefined) await this.#choosing.model(model);
    if (mode !== undefined) await this.#choosing.mode(mode);
  }

  /** Only asks for it: the end of the turn comes as the answer to the prompt. */
  async cancel(): Promise<void> {
    this.#sending?.abort();
    if (!this.#translator.running) return;
    this.#translator.cancelling = true;
    const sent = this.#rpc.notify("session/cancel", this.#here());
    // After it: to some agents a permission that was called off is only a no.
    this.#dropOvertaking();
    this.#rpc.say(...this.#asking.cancelAll());
    await sent;
  }

  get mode(): Mode {
    return this.#translator.facts.mode;
  }

  say(...events: AgentEvent[]): void {
    const out: AgentEvent[] = [];
    // A call that is heard of elsewhere ends what it was saying, as one that it tells of does.
    if (events.some(({ type }) => type.startsWith("tool.") || type.startsWith("permission.")))
      this.#translator.interrupt(out);
    this.#rpc.say(...out, ...events);
  }

  get models(): readonly AcpModel[] {
    const { settings } = this.#translator.facts;
    const current = settings.current("model")?.id;
    const [listed] = settings.waysTo("model");
    return (listed?.choices ?? []).map((choice) => ({ ...choice, current: choice.id === current }));
  }

  list(): Promise<readonly AcpListed[]> {
    if (!offers(this.#opened?.capabilities ?? {}, "list"))
      return Promise.reject(this.#refused("unsupported", `${this.#options.name} lists no sessions.`));
    return listSessions((params) => this.#rpc.request("session/list", params), this.#options.cwd);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    if (!this.#gone && this.#opened !== undefined) {
      // Not waited for, like the next: an agent that does not read its input is stopped all the same.
      void this.cancel();
      if (offers(this.#opened.capabilities, "close")) void this.#rpc.request("session/close", this.#here());
    }
    await this.#options.child.stop({ politely: true });
    await this.#options.ended?.();
  }

  get #resumable(): boolean {
    return this.#opened !== undefined && waysToResume(this.#opened.capabilities).length > 0;
  }

  #here(params: JsonObject = {}): JsonObject {
    return { sessionId: this.#opened?.sessionId, ...params };
  }

  #told(method: string, params: unknown, message: JsonObject, out: Out): void {
    const { sessionId, update } = record(params);
    const ours = this.#opened === undefined || sessionId === this.#opened.sessionId;
    if (method === "session/update" && ours && this.#overtakes(record(update), message)) return;
    if (isOfCall(record(update))) this.#tellHeld(out);
    const from = out.length;
    if (method === "session/update" && ours) this.#translator.update(update, out);
    else if (method === "session/update") this.#translator.strays.unknown("an update of another session", out);
    else if (!this.#own.told(method, params, out) && !this.#translator.ignores(method))
      this.#translator.strays.unknown(named(method), out);
    this.#keepRaw(from, message, out);
    this.#askHeld(out);
  }

  /** Words may still come that were said before it. */
  #overtakes(update: JsonObject, message: JsonObject): boolean {
    const { running, calls } = this.#translator;
    const ahead = this.#options.quirks.announcesCalls === true && running && isAhead(update);
    if (!ahead || calls.knows(update["toolCallId"]) || this.#translator.parentOf(update) !== undefined) return false;
    this.#overtaking.holdCall({ update, message }, () => {
      const late: AgentEvent[] = [];
      this.#tellHeld(late);
      this.#askHeld(late);
      this.#rpc.say(...late);
    });
    return true;
  }

  #tellHeld(out: Out): void {
    for (const { update, message } of this.#overtaking.takeCalls()) {
      const from = out.length;
      this.#translator.update(update, out);
      this.#keepRaw(from, message, out);
    }
  }

  #askHeld(out: Out): void {
    for (const request of this.#overtaking.announced((callId) => this.#translator.calls.knows(callId)))
      this.#ask(request, out);
  }

  #asked(request: RpcRequest, out: Out): void {
    const { calls, running } = this.#translator;
    const callId = callIn(request);
    const announces = this.#options.quirks.announcesCalls === true && callId !== undefined;
    if (!announces || !running || calls.knows(callId)) return this.#ask(request, out);
    this.#overtaking.hold(request, () => {
      const late: AgentEvent[] = [];
      this.#ask(request, late);
      this.#rpc.say(...late);
    });
  }

  /** What is called off before anybody was asked. */
  #dropOvertaking(): void {
    for (const { id, method } of this.#overtaking.dropped())
      this.#rpc.respond(id, method === "elicitation/create" ? cancelledForm : { outcome: cancelledOutcome });
  }

  #ask(request: RpcRequest, out: Out): void {
    const from = out.length;
    if (request.method === "session/request_permission") this.#asking.permission(request, out);
    else if (request.method === "elicitation/create") this.#asking.form(request, out);
    else if (!this.#own.asked(request, out)) {
      this.#rpc.refuse(request.id, {
        code: rpcErrors.methodNotFound,
        message: `Reins does not do ${named(request.method)}`,
      });
      if (!this.#translator.ignores(request.method)) this.#translator.strays.refused(named(request.method), out);
    }
    this.#keepRaw(from, request.message, out);
  }

  #exited(exit: Exit, stderrTail: string, out: Out): void {
    this.#gone = true;
    this.#tellHeld(out);
    this.#overtaking.dropped();
    out.push({ type: "process.exited", code: exit.code, signal: exit.signal, stderrTail });
    this.#translator.exited(this.#options.failures.exit(exit, stderrTail), out);
  }

  #keepRaw(from: number, message: object, out: Out): void {
    if (this.#options.raw !== true) return;
    for (let index = from; index < out.length; index++) out[index] = { ...out[index]!, raw: message };
  }

  #refused(code: ErrorCode, message: string, help?: string): ReinsError {
    return new ReinsError(code, message, { agent: this.#options.agent, help });
  }
}
