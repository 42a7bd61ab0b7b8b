/**
 * A session with a Gemini CLI that is too old for ACP: one process a prompt, which goes on with the program's own session. Nobody can
 * be asked in this form; what would have to be asked for is not even offered to the model.
 */
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { openStreamJson } from "../../drivers/stream-json/index.ts";
import { ReinsError } from "../../events/errors.ts";
import type { Mode } from "../../events/modes.ts";
import type { AgentEvent } from "../../events/types.ts";
import type { Child } from "../../process/types.ts";
import type { AgentContext, AgentSession, OpenOptions, PromptInput } from "../contract.ts";
import { attachedTo } from "../shared/attachments.ts";
import { Outbox } from "../shared/outbox.ts";
import { OneShotTranslator } from "./one-shot-translate.ts";
import type { Command } from "../shared/program.ts";
import { commonArguments } from "./launch.ts";
import { program } from "./program.ts";
import { stateOf } from "./state.ts";
import type { Surroundings } from "./surroundings.ts";

/** Without anybody to ask, its default only looks. */
export const approvalModes = {
  read: "default",
  plan: "plan",
  ask: "default",
  edits: "auto_edit",
  full: "yolo",
} as const satisfies Record<Mode, string>;

const cannotAsk = `This version of ${program.name} is too old to be asked about its tools; what it would have to ask for it leaves.`;

export interface OneShotParts extends Surroundings {
  readonly context: AgentContext;
  readonly options: OpenOptions;
  readonly command: Command;
  /** The program's id of an earlier session. */
  readonly resume: string | undefined;
}

export class OneShotSession implements AgentSession {
  readonly events: Outbox = new Outbox();
  readonly #parts: OneShotParts;
  #mode: Mode;
  #model: string | undefined;
  /** The program's id of the session. */
  #session: string | undefined;
  #introduced = false;
  #running: { readonly child: Child; readonly translator: OneShotTranslator } | "starting" | undefined;
  #closed = false;

  constructor(parts: OneShotParts) {
    this.#parts = parts;
    this.#mode = parts.options.mode;
    this.#model = parts.options.model;
    this.#session = parts.resume;
  }

  get state(): string | undefined {
    return this.#session === undefined ? undefined : stateOf(this.#session);
  }

  async prompt(input: PromptInput): Promise<void> {
    const { context, options, command, env } = this.#parts;
    if (this.#closed) throw refused("invalid_input", "The session is closed.");
    await this.#settled();
    if (this.#running !== undefined) throw refused("session_busy", `${program.name} is already working on a prompt.`);
    this.#running = "starting";
    try {
      const { texts, images } = await attachedTo(input, options.cwd, context.limits.promptBytes);
      if (images.length > 0) throw refused("unsupported", `This version of ${program.name} takes no images.`);
      const child = await context.processes.launch({
        command: command.path,
        args: [...command.args, ...this.#arguments()],
        cwd: options.cwd,
        env,
        agent: program.id,
        sessionId: options.sessionId,
        stdin: "pipe",
      });
      const { cwd } = options;
      const exists = (path: string) => existsSync(resolve(cwd, path));
      const translator = new OneShotTranslator({ cwd, prefix: `${randomUUID().slice(0, 8)}-`, exists });
      this.#running = { child, translator };
      void this.#read(child, translator);
      await child.write([...texts, input.text].join("\n\n"));
      child.closeStdin();
    } catch (error) {
      this.#running = undefined;
      throw error;
    }
  }

  answer(): void {
    // Nothing is ever asked.
  }

  async configure({ model, mode }: { model?: string | undefined; mode?: Mode | undefined }): Promise<void> {
    this.#model = model ?? this.#model;
    this.#mode = mode ?? this.#mode;
  }

  async cancel(): Promise<void> {
    if (this.#running === undefined || this.#running === "starting") return;
    this.#running.translator.cancelling = true;
    await this.#running.child.stop({ politely: false });
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#running !== undefined && this.#running !== "starting")
      await this.#running.child.stop({ politely: false });
    this.events.end();
  }

  /** The turn before is over, and its process is about to end: it still writes its session down. */
  async #settled(): Promise<void> {
    if (this.#running === undefined || this.#running === "starting" || !this.#running.translator.ended) return;
    await this.#running.child.exited;
    this.#running = undefined;
  }

  #arguments(): string[] {
    const resume = this.#session === undefined ? [] : ["--resume", this.#session];
    const common = commonArguments({ ...this.#parts.options, model: this.#model });
    return ["--output-format", "stream-json", "--approval-mode", approvalModes[this.#mode], ...resume, ...common];
  }

  /** What was asked for and this form cannot do. */
  #divergences(): string[] {
    const { divergences, options } = this.#parts;
    const given = { tools: options.tools, "a system prompt": options.systemPrompt, "MCP servers": options.mcpServers };
    const left = Object.entries(given).filter(([, value]) => value !== undefined);
    const unable = left.map(([what]) => `This version of ${program.name} is too old to be given ${what}.`);
    return [...divergences, ...unable, ...(this.#mode === "full" ? [] : [cannotAsk])];
  }

  async #read(child: Child, translator: OneShotTranslator): Promise<void> {
    const { deadlines } = this.#parts.context;
    const stream = openStreamJson({
      child,
      name: program.name,
      agent: program.id,
      requestMs: deadlines.request,
      drainMs: deadlines.drain,
      translate: (message) => this.#told(translator, message),
      onRequest: () => [],
      onWithdrawn: () => [],
      onExit: (exit, stderrTail) => {
        if (this.#running !== "starting" && this.#running?.child === child) this.#running = undefined;
        return translator.exited(exit, stderrTail);
      },
    });
    for await (const batch of stream.events) {
      for (const event of batch) this.events.push(event);
      await this.events.room();
    }
  }

  #told(translator: OneShotTranslator, message: unknown): AgentEvent[] {
    const said = translator.message(message);
    this.#session = translator.sessionId ?? this.#session;
    if (this.#introduced || translator.sessionId === undefined) return said;
    this.#introduced = true;
    const { options, resume } = this.#parts;
    return [
      {
        type: "session.started",
        model: translator.model,
        mode: this.#mode,
        nativeMode: approvalModes[this.#mode],
        cwd: options.cwd,
        resumed: resume !== undefined,
        state: this.state,
      },
      ...this.#divergences().map((text): AgentEvent => ({
        type: "notice",
        level: "warning",
        code: "divergence",
        message: text,
      })),
      ...said,
    ];
  }
}

function refused(code: "invalid_input" | "session_busy" | "unsupported", message: string): ReinsError {
  return new ReinsError(code, message, { agent: program.id });
}
