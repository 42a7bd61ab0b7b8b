import { ReinsError, type ErrorCode } from "../../events/errors.ts";
import type { Mode } from "../../events/modes.ts";
import type { AgentEvent } from "../../events/types.ts";
import { randomId } from "../../process/crypto.ts";
import type { Exit } from "../../process/types.ts";
import { openJsonRpc, type JsonRpc, type Out, type RpcRequest } from "../json-rpc/index.ts";
import { record, type JsonObject } from "../json.ts";
import type { GivenAnswer } from "../requests.ts";
import { blocksOf } from "./content.ts";
import { Handshake, type Opened } from "./handshake.ts";
import { isOfCall, MessageOrder } from "./message-order.ts";
import { AcpRequests, cancelledResponse } from "./requests.ts";
import { offers, SettingChanges, waysToResume } from "./settings.ts";
import { Translator } from "./translate.ts";
import { encodeState, type AcpModel, type AcpOptions, type AcpPrompt, type AcpSession } from "./types.ts";

export class Session implements AcpSession {
  readonly events: AsyncIterable<readonly AgentEvent[]>;
  readonly #options: AcpOptions;
  readonly #rpc: JsonRpc;
  readonly #translator: Translator;
  readonly #requests: AcpRequests;
  /** Undefined for agents whose messages arrive in order. */
  readonly #order: MessageOrder | undefined;
  readonly #changes: SettingChanges;
  #opened: Opened | undefined;
  #prompts = 0;
  /** Options that were not applied; reported in the first turn. */
  readonly #divergences: string[] = [];
  #exited = false;
  /** Set while a prompt is being prepared; a cancel aborts it. */
  #sending: AbortController | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: AcpOptions) {
    this.#options = options;
    const { child, name, agent, deadlines, quirks, cwd, resume } = options;
    const prefix = `${randomId().slice(0, 8)}-`;
    const translator = (this.#translator = new Translator({ ...options, resumed: resume !== undefined, prefix }));
    const rpc = (this.#rpc = openJsonRpc({
      child,
      name,
      agent,
      requestMs: deadlines.request,
      drainMs: deadlines.drain,
      cancelMethod: "$/cancel_request",
      onNotification: (method, params, message, out) => this.#notified(method, params, message, out),
      onRequest: (request, out) => {
        if (this.#order?.holdRequest(request) !== true) this.#ask(request, out);
      },
      onWithdrawn: (requestId, out) => {
        this.#order?.dropRequests(requestId);
        this.#requests.withdrawn(requestId, out);
      },
      onExit: (exit, stderrTail, out) => this.#ended(exit, stderrTail, out),
    }));
    this.#requests = new AcpRequests({ name, rpc, translator, cwd, quirks });
    if (quirks.announcesCalls === true)
      this.#order = new MessageOrder({
        translator,
        update: ({ update, message }, out) => this.#keepRaw(message, out, () => translator.update(update, out)),
        ask: (request, out) => this.#ask(request, out),
        say: (events) => rpc.say(...events),
      });
    const ask = (method: string, params: JsonObject) => rpc.request(method, this.#withSession(params));
    this.#changes = new SettingChanges({ name, agent, quirks, facts: translator.facts, ask });
    this.events = rpc.events;
  }

  /** Undefined until the first prompt, because agents need not keep a session that was never prompted. */
  get state(): string | undefined {
    const { resume, agent, stateOf } = this.#options;
    if (this.#opened === undefined || waysToResume(this.#opened.capabilities).length === 0) return undefined;
    if (this.#prompts === 0 && resume === undefined) return undefined;
    return stateOf?.(this.#opened.sessionId) ?? encodeState(agent, this.#opened.sessionId);
  }

  async open(): Promise<void> {
    const { mode, model, cwd, resume, divergences = [] } = this.#options;
    this.#opened = await new Handshake(this.#rpc, this.#options, this.#translator).open();
    this.#divergences.push(...divergences, ...this.#opened.divergences);
    if (model !== undefined) this.#divergences.push(...(await this.#rpc.readUntil(this.#changes.firstModel(model))));
    await this.#rpc.readUntil(this.#changes.mode(mode));
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
    const { name, agent, cwd, limits, quirks } = this.#options;
    if (this.#closing !== undefined) throw this.#refused("invalid_input", "The session is closed.");
    if (this.#exited) throw this.#refused("agent_crashed", `${name} has ended.`);
    if (this.#translator.running || this.#sending !== undefined)
      throw this.#refused("session_busy", `${name} is already working on a prompt.`);
    const sending = (this.#sending = new AbortController());
    try {
      const capabilities = record(this.#opened?.capabilities["promptCapabilities"]);
      const blocks = await blocksOf(input, { name, agent, cwd, maxBytes: limits.promptBytes, capabilities });
      const prompt = quirks.prompt?.(blocks) ?? blocks;
      if (sending.signal.aborted) throw this.#refused("cancelled", "The prompt was cancelled before it was sent.");
      this.#prompts++;
      this.#translator.prompted();
      for (const message of this.#divergences.splice(0))
        this.#rpc.say({ type: "notice", level: "warning", code: "divergence", message });
      void this.#rpc.request("session/prompt", this.#withSession({ prompt }), {
        deadlineMs: Infinity,
        onAnswer: (answer, out) => {
          this.#order?.releaseUpdates(out);
          this.#keepRaw(answer, out, () => this.#translator.ended(answer, out));
          this.#cancelHeld();
          this.#requests.turnEnded();
        },
      });
    } finally {
      this.#sending = undefined;
    }
  }

  answer(requestId: string, answer: GivenAnswer): void {
    this.#requests.answer(requestId, answer);
    if (answer.decision === "deny" && answer.stop === true) void this.cancel();
  }

  async configure({ model, mode }: { model?: string | undefined; mode?: Mode | undefined }): Promise<void> {
    if (model !== undefined) await this.#changes.model(model);
    if (mode !== undefined) await this.#changes.mode(mode);
  }

  /** Only requests the cancel. The turn ends with the answer to the prompt. */
  async cancel(): Promise<void> {
    this.#sending?.abort();
    if (!this.#translator.running) return;
    this.#translator.cancelling = true;
    const sent = this.#rpc.notify("session/cancel", this.#withSession());
    // After the notification, because some agents take a cancelled permission for a denial.
    this.#cancelHeld();
    this.#rpc.say(...this.#requests.cancelAll());
    await sent;
  }

  get mode(): Mode {
    return this.#translator.facts.mode;
  }

  say(...events: AgentEvent[]): void {
    const out: AgentEvent[] = [];
    // A call ends the message before it, also when the call was reported from outside the protocol.
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

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    if (!this.#exited && this.#opened !== undefined) {
      // Neither is awaited, because an agent that does not read its input must be stopped too.
      void this.cancel();
      if (offers(this.#opened.capabilities, "close")) void this.#rpc.request("session/close", this.#withSession());
    }
    await this.#options.child.stop({ politely: true });
    await this.#options.ended?.();
  }

  #withSession(params: JsonObject = {}): JsonObject {
    return { sessionId: this.#opened?.sessionId, ...params };
  }

  #notified(method: string, params: unknown, message: JsonObject, out: Out): void {
    const { sessionId, update: given } = record(params);
    const update = record(given);
    const isUpdate = method === "session/update";
    const isOurs = this.#opened === undefined || sessionId === this.#opened.sessionId;
    if (isUpdate && isOurs && this.#order?.holdUpdate({ update, message }) === true) return;
    if (isOfCall(update)) this.#order?.releaseUpdates(out);
    this.#keepRaw(message, out, () => {
      if (!isUpdate) this.#requests.notified(method, params, out);
      else if (isOurs) this.#translator.update(given, out);
      else this.#translator.unexpected.unknown("an update of another session", out);
    });
    this.#order?.releaseRequests(out);
  }

  /** Cancels held requests about which the user was not asked yet. */
  #cancelHeld(): void {
    for (const { id, method } of this.#order?.dropRequests() ?? []) this.#rpc.respond(id, cancelledResponse(method));
  }

  #ask(request: RpcRequest, out: Out): void {
    this.#keepRaw(request.message, out, () => this.#requests.received(request, out));
  }

  #ended(exit: Exit, stderrTail: string, out: Out): void {
    this.#exited = true;
    this.#order?.releaseUpdates(out);
    this.#order?.dropRequests();
    out.push({ type: "process.exited", code: exit.code, signal: exit.signal, stderrTail });
    this.#translator.exited(this.#options.failures.exit(exit, stderrTail), out);
  }

  /** Attaches the native message to the events made from it, when the caller asked for `raw`. */
  #keepRaw(message: object, out: Out, translate: () => void): void {
    const from = out.length;
    translate();
    if (this.#options.raw !== true) return;
    for (let index = from; index < out.length; index++) out[index] = { ...out[index]!, raw: message };
  }

  #refused(code: ErrorCode, message: string): ReinsError {
    return new ReinsError(code, message, { agent: this.#options.agent });
  }
}
