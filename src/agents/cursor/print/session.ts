/**
 * A session with one process per prompt (`agent -p`). Reins ends the process as soon as it has reported its result:
 * some versions never exit and leave workers behind. The process asks nobody; calls that the mode does not allow are
 * rejected.
 */
import type { Mode } from "../../../events/modes.ts";
import type { AgentEvent } from "../../../events/types.ts";
import type { Child } from "../../../process/types.ts";
import { openStreamJson, type Dialect } from "../../../protocols/stream-json/index.ts";
import type { AgentContext, AgentSession, Answer, OpenOptions, PromptInput } from "../../contract.ts";
import { Outbox } from "../../shared/in-process/outbox.ts";
import { attachedTo } from "../../shared/program/attachments.ts";
import { PrivateFiles } from "../../shared/program/private-files.ts";
import type { Command } from "../../shared/program/program.ts";
import { openHooks, type Hooks } from "../hooks/index.ts";
import { printArguments } from "../launch.ts";
import { cursorError, environmentOf, installedVersion, program } from "../program.ts";
import { chatOf, isEmpty } from "../session.ts";
import { UnaskedChanges } from "../unasked-changes.ts";
import { PrintChat, requireChat } from "./chat.ts";
import { PrintTranslator } from "./translate.ts";

/** Starts no process before the first prompt. */
export async function openPrint(context: AgentContext, options: OpenOptions, command: Command): Promise<AgentSession> {
  const { state, cwd, mode, env } = options;
  const chatId = state === undefined ? undefined : chatOf(state);
  // Throws for invalid arguments now, not at the first prompt.
  printArguments(context.env, options, { mode });
  if (state !== undefined && chatId !== undefined && !isEmpty(state))
    await requireChat(chatId, cwd, environmentOf(context.env, env));
  const session = new PrintSession({ context, options, command, chatId });
  session.hooks = await openHooks({
    context,
    options,
    version: await installedVersion(command, context),
    say: (events) => session.say(events),
    isPrompted: () => session.isPrompted,
    stop: () => void session.cancel(),
  });
  return session;
}

interface PrintParts {
  readonly context: AgentContext;
  readonly options: OpenOptions;
  readonly command: Command;
  readonly chatId: string | undefined;
}

interface Turn {
  readonly translator: PrintTranslator;
  readonly cancelled: PromiseWithResolvers<void>;
  child: Child | undefined;
}

/** The stream has neither requests nor answers. */
const oneWay: Dialect = { fromWire: () => undefined, toWire: (message) => message };

export class PrintSession implements AgentSession {
  /** The program takes a while to start, and does nothing before it has read its input to the end. */
  readonly startsAhead = true;
  hooks: Hooks | undefined;
  readonly #parts: PrintParts;
  readonly #chat: PrintChat;
  readonly #outbox = new Outbox();
  readonly #files = new PrivateFiles(program.id);
  readonly #unasked = new UnaskedChanges();
  /** Events of hooks that came before `session.started`. */
  readonly #early: AgentEvent[] = [];
  #images = 0;
  #turn: Turn | undefined;
  /** Settles when the process of the previous turn has ended. */
  #ending: Promise<unknown> | undefined;
  #closed = false;

  constructor(parts: PrintParts) {
    this.#parts = parts;
    this.#chat = new PrintChat(parts.options, parts.chatId);
  }

  get events(): AsyncIterable<readonly AgentEvent[]> {
    return this.#outbox;
  }

  get state(): string | undefined {
    return this.#chat.state;
  }

  get isPrompted(): boolean {
    return this.#turn?.translator.cancelled === false;
  }

  async prompt(input: PromptInput, ready?: Promise<unknown>): Promise<void> {
    if (this.#closed) throw cursorError("invalid_input", "The session is closed.");
    if (this.#turn !== undefined) throw cursorError("session_busy", `${program.name} is already working on a prompt.`);
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
    if (child === undefined) {
      // Cancelled before there was a process.
      this.#turn = undefined;
      for (const event of translator.exited({ code: null, signal: null }, "")) this.#outbox.push(event);
      return;
    }
    void this.#read(turn, child);
    if (translator.cancelled) void child.stop({ politely: false });
    await ready;
    await child.write(said);
    // The program reads to the end of its input, and some versions never exit while it is open.
    child.closeStdin();
  }

  answer(requestId: string, answer: Answer): void {
    this.hooks?.answer(requestId, answer);
  }

  say(events: readonly AgentEvent[]): void {
    if (this.#chat.started) for (const event of events) this.#outbox.push(event);
    else this.#early.push(...events);
  }

  /** Takes effect at the next prompt. */
  async configure({ model, mode }: { model?: string | undefined; mode?: Mode | undefined }): Promise<void> {
    this.#chat.model = model ?? this.#chat.model;
    this.#chat.mode = mode ?? this.#chat.mode;
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

  /** Returns the text for stdin. */
  async #start(turn: Turn, input: PromptInput): Promise<string> {
    const { context, options, command } = this.#parts;
    const { texts, images } = await attachedTo(input, options.cwd, context.limits.promptBytes);
    const files = await Promise.all(
      images.map(({ mediaType, data }) =>
        this.#files.write(`image-${++this.#images}.${mediaType.split("/")[1]}`, Buffer.from(data, "base64")),
      ),
    );
    // Two processes with one chat would overwrite each other, and some take seconds to end.
    await Promise.race([this.#ending, turn.cancelled.promise]);
    if (turn.translator.cancelled) return "";
    const { id: chatId, mode, model } = this.#chat;
    const args = printArguments(context.env, options, { mode, model, chatId, images: files, more: this.hooks?.args });
    turn.child = await context.processes.launch({
      command: command.path,
      args: [...command.args, ...args],
      cwd: options.cwd,
      env: { ...environmentOf(context.env, options.env), ...this.hooks?.env },
      agent: program.id,
      sessionId: options.sessionId,
      stdin: "pipe",
    });
    return [...texts, input.text].join("\n\n");
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
        // The program has a moment to save the chat; then its whole process group is ended.
        this.#ending = child.stop();
      }
      for (const event of this.hooks?.merge(batch) ?? batch) {
        gone ||= event.type === "process.exited";
        this.#outbox.push(this.#watched(event));
      }
      if (this.#chat.started) this.say(this.#early.splice(0));
      await this.#outbox.room();
    }
    // A process that died in a turn ends the leg; the next prompt opens a new one.
    if (gone) this.#outbox.end();
  }

  #watched(event: AgentEvent): AgentEvent {
    if (event.type === "turn.ended") return this.#unasked.ended(event);
    if (this.#unasked.hears(event, this.#chat.mode, (callId) => this.hooks?.held(callId) === true)) void this.cancel();
    return event;
  }
}
