/** One conversation with one Qwen Code process. */
import { openStreamJson, refusalOf } from "../../drivers/stream-json/index.ts";
import type { StreamJson } from "../../drivers/stream-json/index.ts";
import { ReinsError } from "../../events/errors.ts";
import type { ErrorCode } from "../../events/errors.ts";
import type { Mode } from "../../events/modes.ts";
import type { AgentEvent } from "../../events/types.ts";
import type { Child } from "../../process/types.ts";
import type { AgentContext, AgentSession, Answer, OpenOptions, PromptInput } from "../contract.ts";
import { PrivateFiles } from "../shared/private-files.ts";
import type { Hooks } from "./hooks.ts";
import { Incoming } from "./incoming.ts";
import { initialize } from "./initialize.ts";
import { textOf } from "./input.ts";
import { nativeModes } from "./launch.ts";
import { encodeState } from "./state.ts";
import { temporaryBeside } from "./temporary.ts";

export interface SessionParts {
  readonly context: AgentContext;
  readonly options: OpenOptions;
  readonly child: Child;
  readonly files: PrivateFiles;
  readonly hooks: Hooks;
}

export class QwenSession implements AgentSession {
  readonly events: AsyncIterable<readonly AgentEvent[]>;
  readonly #context: AgentContext;
  readonly #options: OpenOptions;
  readonly #child: Child;
  readonly #stream: StreamJson;
  readonly #incoming: Incoming;
  /** Images that the program is to look at. */
  #images: PrivateFiles | undefined;
  #conversation: string | undefined;
  #prompts = 0;
  /** A prompt is being made ready to be sent; aborted by a cancel. */
  #sending: AbortController | undefined;
  #closing: Promise<void> | undefined;
  /** Nothing is left of it, whoever ended it. */
  readonly #cleaned: Promise<void>;

  constructor({ context, options, child, files, hooks }: SessionParts) {
    this.#context = context;
    this.#options = options;
    this.#child = child;
    this.#incoming = new Incoming({
      ...options,
      resumed: options.state !== undefined,
      prefix: `${options.sessionId.slice(0, 8)}-${child.pid}-`,
      say: (events) => this.#stream.say(events),
      respond: (requestId, response) => void this.#stream.respond(requestId, response),
      refuse: (requestId, why) => void this.#stream.refuse(requestId, why),
      transcript: { begin: (path) => void hooks.begin(path), look: () => void hooks.look() },
      interrupt: () => this.#interrupt(),
      setMode: (nativeMode) => void this.#setNativeMode(nativeMode).catch(() => {}),
      retire: () => void child.stop({ politely: true }),
    });
    this.#stream = openStreamJson({
      child,
      name: "Qwen Code",
      agent: "qwen",
      requestMs: context.deadlines.request,
      drainMs: context.deadlines.drain,
      translate: (message) => this.#incoming.message(message),
      onRequest: (request) => this.#incoming.request(request),
      onWithdrawn: (requestId, message) => this.#incoming.withdrawn(requestId, message),
      onExit: (exit, stderrTail) => this.#incoming.exited(exit, stderrTail),
    });
    this.events = this.#stream.events;
    this.#cleaned = this.#cleanUp(files, hooks);
  }

  /** Nothing can be resumed before the first prompt: the program writes nothing down until then. */
  get state(): string | undefined {
    const known = this.#prompts > 0 || (this.#options.state !== undefined && this.#options.fork !== true);
    if (!known || this.#conversation === undefined) return undefined;
    return this.#incoming.translator.session.state ?? encodeState(this.#conversation);
  }

  /** From the start of the process until it can take a prompt. */
  async open(): Promise<void> {
    this.#conversation = await initialize(this.#stream, this.#context.deadlines.start, () => this.#incoming);
    this.#incoming.initialized(this.#conversation);
  }

  async prompt(input: PromptInput): Promise<void> {
    if (this.#closing !== undefined) throw refused("invalid_input", "The session is closed.");
    if (this.#incoming.gone) throw refused("agent_crashed", "Qwen Code has ended.");
    if (this.#incoming.translator.running || this.#sending !== undefined) {
      throw refused("session_busy", "Qwen Code is already working on a prompt.");
    }
    const sending = (this.#sending = new AbortController());
    try {
      const { cwd, directories = [] } = this.#options;
      const maxBytes = this.#context.limits.promptBytes;
      const content = await textOf(input, { cwd, directories, maxBytes, keep: (...file) => this.#keep(...file) });
      if (sending.signal.aborted) throw refused("cancelled", "The prompt was cancelled before it was sent.");
      this.#prompts++;
      this.#incoming.prompted();
      const message = { role: "user", content };
      await this.#stream.send({ type: "user", session_id: "", parent_tool_use_id: null, message });
    } finally {
      this.#sending = undefined;
    }
  }

  answer(requestId: string, answer: Answer): void {
    this.#incoming.permissions.answer(requestId, answer);
  }

  async configure({ model, mode }: { model?: string | undefined; mode?: Mode | undefined }): Promise<void> {
    if (model !== undefined) await this.#setModel(model);
    if (mode !== undefined) await this.#setMode(mode);
  }

  /** Only asks for it: the end of the turn comes as an event, and the core stops a program that does not care. */
  async cancel(): Promise<void> {
    this.#sending?.abort();
    if (this.#incoming.translator.running) this.#incoming.cancel();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    // Without it, the program would first finish its turn.
    if (this.#incoming.translator.running) this.#incoming.cancel();
    await this.#child.stop({ politely: true });
    await this.#cleaned;
  }

  async #cleanUp(files: PrivateFiles, hooks: Hooks): Promise<void> {
    await this.#child.exited;
    hooks.close();
    await files.remove();
    await this.#images?.remove();
  }

  #interrupt(): void {
    // An answer is not waited for: what counts is the end of the turn.
    this.#stream.request("interrupt").catch(() => {});
  }

  /** In the program's own folder for such files: it reads no other that lies outside of the workspace. */
  async #keep(name: string, bytes: Buffer): Promise<string> {
    const { request } = this.#context.deadlines;
    const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), request).unref());
    const transcript = await Promise.race([this.#incoming.ready, late]);
    if (transcript === undefined) throw refused("unsupported", "Qwen Code did not say where it takes images from.");
    this.#images ??= new PrivateFiles("qwen", await temporaryBeside(transcript));
    return this.#images.write(`${this.#prompts + 1}-${name}`, bytes);
  }

  async #setModel(model: string): Promise<void> {
    await this.#stream.request("set_model", { model });
    this.#incoming.translator.session.configure({ model });
  }

  async #setMode(mode: Mode): Promise<void> {
    const { session } = this.#incoming.translator;
    const before = session.mode;
    session.configure({ mode });
    try {
      await this.#setNativeMode(nativeModes[mode]);
    } catch (error) {
      // Where it trusts the folder not that far, it asks, and Reins says yes.
      if (mode !== "full" || refusalOf(error) === undefined) {
        session.configure({ mode: before });
        throw error;
      }
      await this.#setNativeMode("default");
    }
  }

  async #setNativeMode(nativeMode: string): Promise<void> {
    await this.#stream.request("set_permission_mode", { mode: nativeMode });
  }
}

function refused(code: ErrorCode, message: string): ReinsError {
  return new ReinsError(code, message, { agent: "qwen" });
}
