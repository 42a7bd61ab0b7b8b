/** One conversation with one Claude Code process. */
import { randomUUID } from "node:crypto";
import { openStreamJson, refusalOf } from "../../drivers/stream-json/index.ts";
import type { StreamJson } from "../../drivers/stream-json/index.ts";
import { ReinsError } from "../../events/errors.ts";
import type { ErrorCode } from "../../events/errors.ts";
import type { Mode } from "../../events/modes.ts";
import type { AgentEvent } from "../../events/types.ts";
import type { Child } from "../../process/types.ts";
import type { AgentContext, AgentSession, Answer, OpenOptions, PromptInput } from "../contract.ts";
import type { PrivateFiles } from "../shared/private-files.ts";
import { Incoming } from "./incoming.ts";
import { initialize } from "./initialize.ts";
import { blocksOf } from "./input.ts";
import type { Block } from "./input.ts";
import { nativeModes } from "./launch.ts";
import { removeSocket } from "./socket.ts";
import { encodeState } from "./state.ts";
import { rulesOf, settingsOf } from "./tool-filter.ts";

export interface SessionParts {
  readonly context: AgentContext;
  readonly options: OpenOptions;
  readonly child: Child;
  readonly files: PrivateFiles;
  /** The id of the conversation, ours or an earlier one's. */
  readonly conversation: string;
}

export class ClaudeSession implements AgentSession {
  readonly events: AsyncIterable<readonly AgentEvent[]>;
  readonly #context: AgentContext;
  readonly #options: OpenOptions;
  readonly #child: Child;
  readonly #files: PrivateFiles;
  readonly #stream: StreamJson;
  readonly #incoming: Incoming;
  /** As long as the program says no other: `/clear` changes it. */
  readonly #state: string;
  #prompts = 0;
  /** A prompt is being made ready to be sent; aborted by a cancel. */
  #sending: AbortController | undefined;
  #closing: Promise<void> | undefined;
  /** Nothing is left of it, whoever ended it. */
  readonly #cleaned: Promise<void>;

  constructor({ context, options, child, files, conversation }: SessionParts) {
    this.#context = context;
    this.#options = options;
    this.#child = child;
    this.#files = files;
    this.#state = encodeState(conversation);
    this.#incoming = new Incoming({
      ...options,
      resumed: options.state !== undefined,
      prefix: `${conversation.slice(0, 8)}-${child.pid}-`,
      refuse: (requestId, why) => this.#stream.refuse(requestId, why),
    });
    this.#stream = openStreamJson({
      child,
      name: "Claude Code",
      agent: "claude",
      requestMs: context.deadlines.request,
      drainMs: context.deadlines.drain,
      translate: (message) => this.#incoming.message(message),
      onRequest: (request) => this.#incoming.request(request),
      onWithdrawn: (requestId) => this.#incoming.permissions.withdrawn(requestId),
      onExit: (exit, stderrTail) => this.#incoming.exited(exit, stderrTail),
    });
    this.events = this.#stream.events;
    this.#cleaned = this.#cleanUp();
  }

  /** Nothing can be resumed before the first prompt: the program writes nothing down until then. */
  get state(): string | undefined {
    const known = this.#prompts > 0 || (this.#options.state !== undefined && this.#options.fork !== true);
    return known ? (this.#incoming.translator.state ?? this.#state) : undefined;
  }

  /** From the start of the process until it can take a prompt. */
  async open(): Promise<void> {
    const { start } = this.#context.deadlines;
    this.#incoming.initialized(await initialize(this.#stream, start, () => this.#incoming.onlyGarbage));
    const first = this.#options.tools?.first;
    if (first === undefined) return;
    await this.#stream.readUntil(this.#stream.request("apply_flag_settings", settingsOf(rulesOf(first))));
  }

  async prompt(input: PromptInput): Promise<void> {
    if (this.#closing !== undefined) throw refused("invalid_input", "The session is closed.");
    if (this.#incoming.gone) throw refused("agent_crashed", "Claude Code has ended.");
    // A turn that it just began itself does not count: it works this off after it, and nobody has heard of that turn yet.
    if (this.#incoming.turns.prompted || this.#sending !== undefined) {
      throw refused("session_busy", "Claude Code is already working on a prompt.");
    }
    const sending = (this.#sending = new AbortController());
    try {
      const blocks = await this.#blocks(input);
      const { tools } = this.#options;
      if (this.#prompts === 1 && tools?.first !== undefined) {
        await this.#stream.request("apply_flag_settings", settingsOf(rulesOf(tools)));
      }
      if (sending.signal.aborted) throw refused("cancelled", "The prompt was cancelled before it was sent.");
      this.#prompts++;
      this.#incoming.translator.prompted();
      await this.#send(blocks);
    } finally {
      this.#sending = undefined;
    }
  }

  /** The agent takes it in after the tool that runs now, or right after its answer. */
  async steer(input: PromptInput): Promise<void> {
    const blocks = await this.#blocks(input);
    if (!this.#incoming.turns.running) throw refused("invalid_input", "No turn is running that this could go into.");
    await this.#send(blocks, { priority: "next" });
  }

  answer(requestId: string, answer: Answer): void {
    const response = this.#incoming.permissions.answer(requestId, answer);
    if (response !== undefined) this.#stream.respond(requestId, response);
  }

  async configure({ model, mode }: { model?: string | undefined; mode?: Mode | undefined }): Promise<void> {
    if (model !== undefined) await this.#setModel(model);
    if (mode !== undefined) await this.#setMode(mode);
  }

  /** Only asks for it: the end of the turn comes as an event, and the core stops a program that does not care. */
  async cancel(): Promise<void> {
    this.#sending?.abort();
    if (this.#incoming.onlySubagentsWork) this.#incoming.stopSubagents();
    if (this.#incoming.translator.busy || this.#incoming.turns.running) this.#interrupt();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    // Without it, the program would first finish its turn, and wait for what runs in the background.
    this.#interrupt();
    await this.#child.stop({ politely: true });
    await this.#cleaned;
  }

  /** Never rejects: perhaps nobody waits for it. */
  async #cleanUp(): Promise<void> {
    await this.#child.exited;
    await this.#files.remove();
    const { socket } = this.#incoming;
    if (socket !== undefined) await removeSocket(socket);
  }

  #interrupt(): void {
    // Also what was sent and has not begun. An answer is not waited for: what counts is the end of the turn.
    this.#stream.request("interrupt", { cancel_queued: true }).catch(() => {});
  }

  #blocks(input: PromptInput): Promise<Block[]> {
    return blocksOf(input, this.#options.cwd, this.#context.limits.promptBytes);
  }

  /** With an id of ours, the program tells what becomes of the message. */
  #send(content: readonly Block[], more: object = {}): Promise<void> {
    const uuid = randomUUID();
    this.#incoming.turns.sent(uuid);
    const message = { role: "user", content };
    return this.#stream.send({ type: "user", message, parent_tool_use_id: null, session_id: "", uuid, ...more });
  }

  async #setModel(model: string): Promise<void> {
    try {
      await this.#stream.request("set_model", { model });
    } catch (error) {
      if (refusalOf(error)?.code !== "not_found") throw error;
      throw refused("model_unknown", `Claude Code does not know the model ${model}.`, error);
    }
    this.#incoming.translator.configure({ model });
  }

  async #setMode(mode: Mode): Promise<void> {
    const { translator } = this.#incoming;
    const before = translator.mode;
    // First, because the program reports its new mode in the same breath as its answer.
    translator.configure({ mode });
    try {
      await this.#stream.request("set_permission_mode", { mode: nativeModes[mode] });
    } catch (error) {
      translator.configure({ mode: before });
      throw error;
    }
  }
}

function refused(code: ErrorCode, message: string, cause?: unknown): ReinsError {
  return new ReinsError(code, message, { agent: "claude", cause });
}
