/**
 * A Codex too old for the app server. Its process takes one prompt and is over; the next prompt opens a new leg from the state, as after
 * any process that ended. It is ended as soon as its turn is: offline it would stay for another five seconds.
 */
import { randomId } from "../../process/crypto.ts";
import { ReinsError } from "../../events/errors.ts";
import type { AgentEvent } from "../../events/types.ts";
import type { Child } from "../../process/types.ts";
import type { AgentContext, AgentSession, OpenOptions, PromptInput } from "../contract.ts";
import { attachedTo } from "../shared/attachments.ts";
import type { Command } from "../shared/program.ts";
import { oneShotArguments, oneShotMode } from "./one-shot-launch.ts";
import { OneShotTranslator } from "./one-shot-translate.ts";
import { program } from "./program.ts";
import { encodeState } from "./state.ts";

export interface OneShotParts {
  readonly context: AgentContext;
  readonly options: OpenOptions;
  readonly command: Command;
  readonly env: Readonly<Record<string, string>>;
  readonly resume: string | undefined;
}

export class OneShotSession implements AgentSession {
  readonly events: AsyncIterable<readonly AgentEvent[]>;
  readonly #parts: OneShotParts;
  readonly #args: readonly string[];
  readonly #translator: OneShotTranslator;
  readonly #started = Promise.withResolvers<Child | undefined>();
  #child: Child | undefined;
  #prompted = false;
  #cancelled = false;

  constructor(parts: OneShotParts) {
    const { options, resume } = parts;
    this.#parts = parts;
    this.#args = oneShotArguments(options, resume);
    const prefix = `${randomId().slice(0, 8)}-`;
    this.#translator = new OneShotTranslator({ cwd: options.cwd, prefix, fresh: resume === undefined });
    this.events = { [Symbol.asyncIterator]: () => this.#read() };
  }

  get state(): string | undefined {
    const thread = this.#translator.threadId ?? this.#parts.resume;
    return thread === undefined ? undefined : encodeState(thread);
  }

  async prompt(input: PromptInput): Promise<void> {
    if (this.#prompted) throw refused("session_busy", "Codex is already working on a prompt.");
    const { context, options, command, env } = this.#parts;
    const { texts, images } = await attachedTo(input, options.cwd, context.limits.promptBytes);
    if (images.length > 0) throw refused("unsupported", "This Codex is too old to be sent images by Reins.");
    this.#prompted = true;
    this.#child = await context.processes.launch({
      command: command.path,
      args: [...command.args, ...this.#args],
      cwd: options.cwd,
      env,
      agent: program.id,
      sessionId: options.sessionId,
      stdin: "pipe",
    });
    await this.#child.write([...texts, input.text].join("\n\n"));
    this.#child.closeStdin();
    this.#started.resolve(this.#child);
  }

  answer(): void {
    // It asks nothing.
  }

  configure(): Promise<void> {
    return Promise.reject(refused("unsupported", "This Codex is too old to change anything in a session."));
  }

  async cancel(): Promise<void> {
    this.#cancelled = true;
    await this.#child?.stop({ politely: false });
  }

  async close(): Promise<void> {
    this.#started.resolve(undefined);
    await this.#child?.stop({ politely: false });
  }

  async *#read(): AsyncGenerator<readonly AgentEvent[], void, undefined> {
    const { options, resume } = this.#parts;
    const { cwd, mode, model } = options;
    const resumed = resume !== undefined;
    yield [{ type: "session.started", model, mode, nativeMode: oneShotMode(mode), cwd, resumed, state: this.state }];
    const child = await this.#started.promise;
    if (child === undefined) return;
    yield [{ type: "notice", level: "warning", code: "divergence", message: oldNotice }];
    for await (const { lines } of child.lines) {
      const events = lines.flatMap((line) => (line === "" ? [] : this.#translator.line(line)));
      if (events.length > 0) yield events;
      if (this.#translator.over) void child.stop({ politely: false });
    }
    const exit = await child.exited;
    yield this.#translator.exited(exit, child.stderrTail(), this.#cancelled && !this.#translator.over);
  }
}

const oldNotice =
  "This Codex is too old for its app server: it answers in one piece, asks nothing, and cannot be steered.";

function refused(code: "session_busy" | "unsupported", message: string): ReinsError {
  return new ReinsError(code, message, {
    agent: program.id,
    help: code === "unsupported" ? program.updateHelp : undefined,
  });
}
