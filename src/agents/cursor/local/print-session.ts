/**
 * A conversation with one process a prompt, which is ended as soon as it told its result: some versions never end by themselves, and leave
 * workers behind. It asks nobody; what the mode does not allow, it rejects.
 */
import { openStreamJson } from "../../../drivers/stream-json/index.ts";
import type { Dialect } from "../../../drivers/stream-json/index.ts";
import { ReinsError } from "../../../events/errors.ts";
import type { Mode } from "../../../events/modes.ts";
import type { AgentEvent } from "../../../events/types.ts";
import type { Child } from "../../../process/types.ts";
import type { AgentContext, AgentSession, Answer, OpenOptions, PromptInput } from "../../contract.ts";
import { attachedTo } from "../../shared/attachments.ts";
import { Outbox } from "../../shared/outbox.ts";
import { PrivateFiles } from "../../shared/private-files.ts";
import type { Command } from "../../shared/program.ts";
import { environmentOf } from "../environment.ts";
import type { Hooks } from "../hooks/index.ts";
import { program } from "../program.ts";
import { PrintChat } from "./print-chat.ts";
import { printArguments } from "./print-launch.ts";
import { PrintTranslator } from "./print-translate.ts";
import { Unasked } from "./unasked.ts";

export interface PrintParts {
  readonly context: AgentContext;
  readonly options: OpenOptions;
  readonly command: Command;
  /** An earlier conversation to go on with. */
  readonly chatId: string | undefined;
}

interface Turn {
  readonly translator: PrintTranslator;
  readonly cancelled: PromiseWithResolvers<void>;
  child: Child | undefined;
}

/** It neither asks nor answers over its stream. */
const oneWay: Dialect = { fromWire: () => undefined, toWire: (message) => message };

export class PrintSession implements AgentSession {
  readonly events: AsyncIterable<readonly AgentEvent[]>;
  /** It takes a while to start, and does nothing before it has read its input to the end. */
  readonly startsAhead = true;
  /** What hooks ask and tell, where they run. */
  hooks: Hooks | undefined;
  readonly #parts: PrintParts;
  readonly #chat: PrintChat;
  readonly #outbox = new Outbox();
  readonly #files = new PrivateFiles(program.id);
  readonly #unasked = new Unasked();
  /** Said by hooks before the program introduced itself. */
  readonly #early: AgentEvent[] = [];
  #images = 0;
  #turn: Turn | undefined;
  /** The process of the turn before is being ended. */
  #ending: Promise<unknown> | undefined;
  #closed = false;

  constructor(parts: PrintParts) {
    this.#parts = parts;
    const { cwd, mode, model } = parts.options;
    this.#chat = new PrintChat({ cwd, mode, model, chatId: parts.chatId });
    this.events = this.#outbox;
  }

  get state(): string | undefined {
    return this.#chat.state;
  }

  /** A prompt is being worked on, and nobody has cancelled it. */
  get isPrompted(): boolean {
    return this.#turn?.translator.cancelled === false;
  }

  async prompt(input: PromptInput, ready?: Promise<unknown>): Promise<void> {
    if (this.#closed) throw refused("invalid_input", "The session is closed.");
    if (this.#turn !== undefined) throw refused("session_busy", `${program.name} is already working on a prompt.`);
    const { cwd, raw } = this.#parts.options;
    const onChat = this.#chat.told.bind(this.#chat);
    const translator = new PrintTranslator({ cwd, raw, onChat });
    const turn: Turn = { translator, cancelled: Promise.withResolvers(), child: undefined };
    this.#turn = turn;
    let said: string;
    try {
      said = await this.#start(turn, input);
    } catch (error) {
      this.#turn = undefined;
      throw error;
    }
    const { child } = turn;
    if (child === undefined) return this.#neverBegan(turn);
    void this.#read(turn, child);
    if (translator.cancelled) void child.stop({ politely: false });
    await ready;
    await child.write(said);
    // It reads to the end of its input, and with an open one some versions never end.
    child.closeStdin();
  }

  answer(requestId: string, answer: Answer): void {
    // Only a hook asks.
    this.hooks?.answer(requestId, answer);
  }

  /** What comes beside the stream. */
  say(events: readonly AgentEvent[]): void {
    if (this.#chat.started) for (const event of events) this.#outbox.push(event);
    else this.#early.push(...events);
  }

  configure({ model, mode }: { model?: string | undefined; mode?: Mode | undefined }): Promise<void> {
    // Both count from the next prompt on.
    this.#chat.model = model ?? this.#chat.model;
    this.#chat.mode = mode ?? this.#chat.mode;
    return Promise.resolve();
  }

  async cancel(): Promise<void> {
    if (this.#turn === undefined) return;
    this.#turn.translator.cancelled = true;
    this.#turn.cancelled.resolve();
    await this.#turn.child?.stop({ politely: false });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.cancel();
    await this.#ending;
    this.#outbox.end();
    await this.hooks?.close();
    await this.#files.remove();
  }

  /** Starts the process, and gives what is to be said to it. */
  async #start(turn: Turn, input: PromptInput): Promise<string> {
    const { context, options, command } = this.#parts;
    const { texts, images } = await attachedTo(input, options.cwd, context.limits.promptBytes);
    const files = await Promise.all(
      images.map(({ mediaType, data }) =>
        this.#files.write(`image-${++this.#images}.${mediaType.split("/")[1]}`, Buffer.from(data, "base64")),
      ),
    );
    // Two that go on with one conversation at once would write over each other; and some take seconds to be gone.
    await Promise.race([this.#ending, turn.cancelled.promise]);
    if (turn.translator.cancelled) return "";
    const { id: chatId, mode, model } = this.#chat;
    turn.child = await context.processes.launch({
      command: command.path,
      args: [
        ...command.args,
        ...printArguments(context.env, options, { mode, model, chatId, images: files, more: this.hooks?.args }),
      ],
      cwd: options.cwd,
      env: { ...environmentOf(context.env, options.env), ...this.hooks?.env },
      agent: program.id,
      sessionId: options.sessionId,
      stdin: "pipe",
    });
    return [...texts, input.text].join("\n\n");
  }

  /** It was cancelled before there was a process for it. */
  #neverBegan({ translator }: Turn): void {
    this.#turn = undefined;
    for (const event of translator.exited({ code: null, signal: null }, "")) this.#outbox.push(event);
  }

  async #read(turn: Turn, child: Child): Promise<void> {
    const { deadlines } = this.#parts.context;
    const { translator } = turn;
    const stream = openStreamJson({
      child,
      name: program.name,
      agent: program.id,
      dialect: oneWay,
      requestMs: deadlines.request,
      drainMs: deadlines.drain,
      translate: (message) => translator.translate(message),
      onRequest: () => [],
      onWithdrawn: () => [],
      onExit: (exit, stderrTail) => translator.exited(exit, stderrTail),
    });
    let gone = false;
    for await (const batch of stream.events) {
      if (translator.over && this.#turn === turn) {
        this.#turn = undefined;
        // It has a moment to write down what was said; then its whole group goes.
        this.#ending = child.stop();
      }
      for (const event of this.hooks?.merge(batch) ?? batch) {
        gone ||= event.type === "process.exited";
        this.#outbox.push(this.#watched(event));
      }
      if (this.#chat.started) this.say(this.#early.splice(0));
      await this.#outbox.room();
    }
    // It died in the middle of a turn: the next prompt opens a new leg.
    if (gone) this.#outbox.end();
  }

  /** Where it does what its mode should have kept it from, and no hook asked, the turn ends. */
  #watched(event: AgentEvent): AgentEvent {
    if (event.type === "turn.ended") return this.#unasked.ended(event);
    if (this.#unasked.hears(event, this.#chat.mode, (callId) => this.hooks?.held(callId) === true)) void this.cancel();
    return event;
  }
}

function refused(code: "invalid_input" | "session_busy", message: string): ReinsError {
  return new ReinsError(code, message, { agent: program.id });
}
