/**
 * For versions that do not speak ACP: one process a prompt, whose JSON output is read. It asks nobody, so what the mode does not allow
 * is denied.
 */
import { randomUUID } from "node:crypto";
import { encodeState } from "../../drivers/acp/index.ts";
import { openStreamJson } from "../../drivers/stream-json/index.ts";
import { ReinsError } from "../../events/errors.ts";
import type { Mode } from "../../events/modes.ts";
import type { AgentEvent } from "../../events/types.ts";
import type { Child } from "../../process/types.ts";
import type { AgentContext, AgentSession, OpenOptions, PromptInput } from "../contract.ts";
import { attachedTo } from "../shared/attachments.ts";
import { Outbox } from "../shared/outbox.ts";
import type { PrivateFiles } from "../shared/private-files.ts";
import type { Command } from "../shared/program.ts";
import { exitError } from "./errors-exit.ts";
import { environmentOf, oneShotArguments } from "./launch.ts";
import type { LaunchFiles } from "./launch.ts";
import { OneShotTranslator } from "./one-shot-translate.ts";
import { program } from "./program.ts";

export interface OneShotSessionOptions {
  readonly context: AgentContext;
  readonly options: OpenOptions;
  readonly command: Command;
  readonly files: PrivateFiles;
  readonly written: LaunchFiles;
  /** An earlier one to go on with. */
  readonly conversation: string | undefined;
}

const older =
  "This version of GitHub Copilot speaks no ACP: nobody can be asked, and what the mode does not allow is denied.";

export class OneShotSession implements AgentSession {
  readonly events: AsyncIterable<readonly AgentEvent[]>;
  readonly #o: OneShotSessionOptions;
  readonly #outbox = new Outbox();
  /** An id of ours, because it tells its own only at the end. */
  readonly #conversation: string;
  #mode: Mode;
  #model: string | undefined;
  #prompts = 0;
  #child: Child | undefined;
  #turn: OneShotTranslator | undefined;
  #closed = false;

  constructor(options: OneShotSessionOptions) {
    this.#o = options;
    const { mode, model, cwd } = options.options;
    this.#mode = mode;
    this.#model = model;
    this.#conversation = options.conversation ?? randomUUID();
    this.events = this.#outbox;
    const resumed = options.conversation !== undefined;
    this.#outbox.push({ type: "session.started", model, mode, cwd, resumed, state: this.state });
  }

  get state(): string | undefined {
    const known = this.#prompts > 0 || this.#o.conversation !== undefined;
    return known ? encodeState(program.id, this.#conversation) : undefined;
  }

  async prompt(input: PromptInput): Promise<void> {
    if (this.#closed) throw refused("invalid_input", "The session is closed.");
    if (this.#child !== undefined) throw refused("session_busy", `${program.name} is already working on a prompt.`);
    const { context, options, command, written } = this.#o;
    const { texts, images } = await attachedTo(input, options.cwd, context.limits.promptBytes);
    if (images.length > 0) throw refused("unsupported", "This version of GitHub Copilot takes no images.");
    const wanted = { ...options, mode: this.#mode, model: this.#model };
    const child = await context.processes.launch({
      command: command.path,
      args: [...command.args, ...oneShotArguments(wanted, written, this.#conversation)],
      cwd: options.cwd,
      env: environmentOf(context.env, options.env, written),
      agent: program.id,
      sessionId: options.sessionId,
      stdin: "pipe",
    });
    this.#child = child;
    if (this.#prompts++ === 0)
      this.#outbox.push({ type: "notice", level: "warning", code: "divergence", message: older });
    void this.#read(child);
    await child.write([...texts, input.text].join("\n\n"));
    child.closeStdin();
  }

  answer(): void {}

  configure({ model, mode }: { model?: string | undefined; mode?: Mode | undefined }): Promise<void> {
    this.#model = model ?? this.#model;
    this.#mode = mode ?? this.#mode;
    return Promise.resolve();
  }

  async cancel(): Promise<void> {
    if (this.#turn !== undefined) this.#turn.cancelling = true;
    await this.#child?.stop();
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.cancel();
    this.#outbox.end();
    await this.#o.files.remove();
  }

  async #read(child: Child): Promise<void> {
    const { context, options } = this.#o;
    const servers = Object.keys(options.mcpServers ?? {});
    const translator = new OneShotTranslator({ cwd: options.cwd, servers });
    this.#turn = translator;
    const stream = openStreamJson({
      child,
      name: program.name,
      agent: program.id,
      requestMs: context.deadlines.request,
      drainMs: context.deadlines.drain,
      translate: (message) => translator.translate(message),
      onRequest: () => [],
      onWithdrawn: () => [],
      onExit: (exit, stderrTail) => translator.exited(exitError(exit, stderrTail)),
    });
    for await (const batch of stream.events) {
      const over = batch.some(({ type }) => type === "turn.ended");
      if (over) {
        // It ends by itself after its result; the next prompt needs the place.
        await child.exited;
        this.#child = undefined;
      }
      for (const event of batch) this.#outbox.push(event);
      await this.#outbox.room();
    }
  }
}

function refused(code: "invalid_input" | "session_busy" | "unsupported", message: string): ReinsError {
  return new ReinsError(code, message, { agent: program.id });
}
