import { randomUUID } from "node:crypto";
import { ReinsError } from "../../events/errors.ts";
import type { Mode } from "../../events/modes.ts";
import type { Child } from "../../process/types.ts";
import { record, text } from "../../protocols/json.ts";
import { refusalOf, type StreamJson } from "../../protocols/stream-json/index.ts";
import { isInside } from "../../workspace/real-paths.ts";
import type { AgentContext, Attachment, OpenOptions, PromptInput } from "../contract.ts";
import { explainStart } from "../shared/program/ask-program.ts";
import { attachedPath, attachedSize, fileMention, imageOf } from "../shared/program/attachments.ts";
import { PrivateFiles } from "../shared/program/private-files.ts";
import type { OpenSession } from "../shared/program/program-agent.ts";
import { StreamJsonSession, launchSession, type StreamJsonParts } from "../shared/stream-json-session.ts";
import { failures } from "./failures.ts";
import { Hooks } from "./hooks.ts";
import {
  argumentsOf,
  environmentOf,
  invalid,
  machineDefaults,
  mcpConfigOf,
  nativeModes,
  settingsWith,
  temporaryBeside,
  type Conversation,
  type LaunchFiles,
} from "./launch.ts";
import { decodeState, encodeState, program } from "./program.ts";
import { Incoming } from "./translate-turns.ts";

export interface SessionParts extends StreamJsonParts {
  readonly files: PrivateFiles;
  readonly hooks: Hooks;
}

export class QwenSession extends StreamJsonSession<string> {
  protected readonly incoming: Incoming;
  readonly #files: PrivateFiles;
  readonly #hooks: Hooks;
  #images: PrivateFiles | undefined;
  #conversation: string | undefined;

  constructor({ files, hooks, ...parts }: SessionParts) {
    super(program, parts);
    const { options, child } = parts;
    this.#files = files;
    this.#hooks = hooks;
    this.incoming = new Incoming({
      ...options,
      resumed: options.state !== undefined,
      prefix: `${options.sessionId.slice(0, 8)}-${child.pid}-`,
      stream: this.stream,
      hooks,
      retire: () => void child.stop({ politely: true }),
    });
  }

  protected override get reported() {
    return this.incoming.translator.session;
  }

  get state(): string | undefined {
    if (!this.isKept || this.#conversation === undefined) return undefined;
    return this.incoming.translator.session.state ?? encodeState(this.#conversation);
  }

  async open(): Promise<void> {
    this.#conversation = await initialize(this.stream, this.context.deadlines.start, this.incoming);
    this.incoming.initialized(this.#conversation);
  }

  protected get busy(): boolean {
    return this.incoming.translator.running;
  }

  protected contentOf(input: PromptInput): Promise<string> {
    const { cwd, directories = [] } = this.options;
    const maxBytes = this.context.limits.promptBytes;
    return textOf(input, { cwd, directories, maxBytes, keep: (...file) => this.#keep(...file) });
  }

  protected send(content: string): Promise<void> {
    const message = { role: "user", content };
    return this.stream.send({ type: "user", session_id: "", parent_tool_use_id: null, message });
  }

  protected interruptTurn(): void {
    if (this.busy) this.incoming.cancel();
  }

  protected async cleanUp(): Promise<void> {
    this.#hooks.close();
    await this.#files.remove();
    await this.#images?.remove();
  }

  /** The program reads attachments outside the workspace only from its own temporary folder. */
  async #keep(name: string, bytes: Buffer): Promise<string> {
    const { request } = this.context.deadlines;
    const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), request).unref());
    const transcript = await Promise.race([this.incoming.ready, late]);
    if (transcript === undefined)
      throw this.refused("unsupported", "Qwen Code did not report the folder for its images.");
    this.#images ??= new PrivateFiles("qwen", await temporaryBeside(transcript));
    return this.#images.write(`${this.prompts + 1}-${name}`, bytes);
  }

  protected async setModel(model: string): Promise<void> {
    await this.stream.request("set_model", { model });
  }

  protected async setMode(mode: Mode): Promise<void> {
    try {
      await this.stream.request("set_permission_mode", { mode: nativeModes[mode] });
    } catch (error) {
      // In an untrusted folder the program refuses `yolo`. In its default mode it asks, and Reins allows.
      if (mode !== "full" || refusalOf(error) === undefined) throw error;
      await this.stream.request("set_permission_mode", { mode: "default" });
    }
  }
}

export const openSession: OpenSession = async (context, options, command) => {
  const { state, fork } = options;
  // Reins chooses the id of a new conversation, so that the state is known at once. The program chooses the id of a copy and reports it
  // first.
  const conversation: Conversation =
    state === undefined ? { id: randomUUID() } : { resume: decodeState(state), fork: fork === true };
  const files = new PrivateFiles("qwen");
  const hooks = await Hooks.open({ maxBytes: context.limits.lineBytes, resumed: state !== undefined });
  try {
    const written = await writeFiles(context, options, files, hooks.url);
    const launch = {
      args: argumentsOf(options, conversation, written),
      env: environmentOf(context.env, options.env, written),
      secondChannel: hooks,
    };
    const create = (child: Child) => new QwenSession({ context, options, child, files, hooks });
    return await launchSession(program, { context, options, command }, launch, create);
  } catch (error) {
    hooks.close();
    await files.remove();
    throw error;
  }
};

async function writeFiles(
  context: AgentContext,
  options: OpenOptions,
  files: PrivateFiles,
  hooksUrl: string,
): Promise<LaunchFiles> {
  const { systemPrompt, mcpServers = {} } = options;
  const machine = await machineDefaults({ ...context.env, ...options.env });
  return {
    settings: await files.write("settings.json", JSON.stringify(settingsWith(machine, { ...options, hooksUrl }))),
    systemPrompt:
      systemPrompt?.how === "replace" ? await files.write("system-prompt.md", systemPrompt.text) : undefined,
    mcpConfig:
      Object.keys(mcpServers).length === 0 ? undefined : await files.write("mcp.json", mcpConfigOf(mcpServers)),
  };
}

/** The longest wait for a permission that the program accepts (its default is a minute). The core has its own deadlines. */
const permissionMs = 600_000;

interface Starting {
  /** The error that the program printed instead of starting. */
  readonly startFailure?: string | undefined;
  readonly onlyGarbage: boolean;
}

/** Returns the id of the conversation. Without this exchange a tool that needs an answer waits forever. */
export async function initialize(
  stream: StreamJson,
  deadlineMs: number,
  starting: Starting = { onlyGarbage: false },
): Promise<string> {
  const explain = (error: unknown): never => {
    const { startFailure, onlyGarbage } = starting;
    return explainStart(program, error, onlyGarbage, (exit, stderrTail) =>
      startFailure === undefined
        ? failures.exit(exit, stderrTail, onlyGarbage)
        : failures.error({ text: startFailure }),
    );
  };
  const wanted = { hooks: null, timeout: { canUseTool: permissionMs } };
  const answer = record(await stream.readUntil(stream.request("initialize", wanted, deadlineMs)).catch(explain));
  const conversation = text(answer["session_id"]);
  if (conversation === undefined || record(answer["capabilities"])["can_handle_can_use_tool"] !== true)
    throw new ReinsError("protocol_error", "Qwen Code does not ask before it uses tools.", { agent: "qwen" });
  return conversation;
}

export interface MentionOptions {
  readonly cwd: string;
  readonly directories: readonly string[];
  readonly maxBytes: number;
  /** Stores a file where it can be mentioned and returns its path. */
  readonly keep: (name: string, bytes: Buffer) => Promise<string>;
}

/**
 * A prompt as one text that mentions its attachments, because the wire accepts no blocks. The prompt's own text comes
 * first, because it may be a command.
 */
export async function textOf(input: PromptInput, mentioning: MentionOptions): Promise<string> {
  const mentions: string[] = [];
  for (const attachment of input.attachments ?? []) mentions.push(await mentionOf(attachment, mentioning));
  const parts = [input.text, ...mentions].filter((part) => part.trim() !== "");
  if (parts.length === 0) throw invalid("The prompt is empty.");
  const prompt = parts.join("\n\n");
  const bytes = Buffer.byteLength(prompt);
  if (bytes > mentioning.maxBytes) throw invalid(`The prompt has ${bytes} bytes; the limit is ${mentioning.maxBytes}.`);
  return prompt;
}

async function mentionOf(attachment: Attachment, mentioning: MentionOptions): Promise<string> {
  const { cwd, maxBytes, keep } = mentioning;
  const path = "path" in attachment ? attachedPath(attachment.path, cwd) : undefined;
  const isReachable = path !== undefined && isInside(path, [cwd, ...mentioning.directories], cwd);
  if (attachment.kind === "file") {
    await attachedSize(path!);
    return isReachable ? mention(path) : fileMention(path!, attachment.name);
  }
  const { mediaType, data } = await imageOf(attachment, cwd, maxBytes);
  if (isReachable) return mention(path);
  return mention(await keep(mediaType.replace("image/", "image."), Buffer.from(data, "base64")));
}

/** Escapes the characters that end a path in a mention. */
function mention(path: string): string {
  return `@${path.replaceAll(/[ \t()[\]{};|*?$`'"#&<>!~,]/g, (character) => `\\${character}`)}`;
}
