import { randomUUID } from "node:crypto";
import { ReinsError } from "../../events/errors.ts";
import type { Mode } from "../../events/modes.ts";
import type { Child } from "../../process/types.ts";
import { record, text, type JsonObject } from "../../protocols/json.ts";
import { refusalOf, type StreamJson } from "../../protocols/stream-json/index.ts";
import type { AgentContext, AgentSession, OpenOptions, PromptInput } from "../contract.ts";
import { explainStart } from "../shared/program/ask-program.ts";
import { attachedTo } from "../shared/program/attachments.ts";
import { PrivateFiles } from "../shared/program/private-files.ts";
import { requireVersion, type Command } from "../shared/program/program.ts";
import { StreamJsonSession, launchSession, type StreamJsonParts } from "../shared/stream-json-session.ts";
import { failures } from "./failures.ts";
import {
  argumentsOf,
  environmentOf,
  mcpConfigOf,
  nativeModes,
  removeSocket,
  rulesOf,
  settingsOf,
  takeSettings,
  type LaunchFiles,
} from "./launch.ts";
import { decodeState, encodeState, program } from "./program.ts";
import { Incoming } from "./translate-turns.ts";

export interface SessionParts extends StreamJsonParts {
  readonly files: PrivateFiles;
  readonly conversation: string;
}

export class ClaudeSession extends StreamJsonSession<readonly Block[]> {
  protected readonly incoming: Incoming;
  readonly #files: PrivateFiles;
  /** The program may report another state later: `/clear` changes it. */
  readonly #state: string;

  constructor({ files, conversation, ...parts }: SessionParts) {
    super(program, parts);
    const { options, child } = parts;
    this.#files = files;
    this.#state = encodeState(conversation);
    this.incoming = new Incoming({
      ...options,
      resumed: options.state !== undefined,
      prefix: `${conversation.slice(0, 8)}-${child.pid}-`,
      respond: (requestId, response) => void this.stream.respond(requestId, response),
      refuse: (requestId, why) => void this.stream.refuse(requestId, why),
    });
  }

  protected override get reported() {
    return this.incoming.translator.session;
  }

  get state(): string | undefined {
    return this.isKept ? (this.incoming.translator.session.state ?? this.#state) : undefined;
  }

  async open(): Promise<void> {
    const { start } = this.context.deadlines;
    this.incoming.initialized(await initialize(this.stream, start, this.incoming.translator));
    const first = this.options.tools?.first;
    if (first === undefined) return;
    await this.stream.readUntil(this.stream.request("apply_flag_settings", settingsOf(rulesOf(first))));
  }

  /** The agent reads the message after the tool that runs now, or right after its answer. */
  async steer(input: PromptInput): Promise<void> {
    const blocks = await this.#blocks(input);
    if (!this.incoming.turns.running)
      throw this.refused("invalid_input", "No turn is running, so there is nothing to steer.");
    await this.send(blocks, { priority: "next" });
  }

  /** Ignores a turn that the program began itself: it handles the prompt after that turn. */
  protected get busy(): boolean {
    return this.incoming.turns.prompted;
  }

  protected async contentOf(input: PromptInput): Promise<readonly Block[]> {
    const blocks = await this.#blocks(input);
    const { tools } = this.options;
    if (this.prompts === 1 && tools?.first !== undefined)
      await this.stream.request("apply_flag_settings", settingsOf(rulesOf(tools)));
    return blocks;
  }

  /** With an id, the program reports what happens to the message. */
  protected send(content: readonly Block[], more: object = {}): Promise<void> {
    const uuid = randomUUID();
    this.incoming.turns.sent(uuid);
    const message = { role: "user", content };
    return this.stream.send({ type: "user", message, parent_tool_use_id: null, session_id: "", uuid, ...more });
  }

  protected interruptTurn(): void {
    const { turns, translator } = this.incoming;
    if (this.incoming.onlySubagentsWork) this.incoming.stopSubagents();
    if (translator.busy || turns.running) this.beforeClose();
  }

  /** Also withdraws messages that have not begun, and stops background work, for which the program would wait. */
  protected override beforeClose(): void {
    // The result of the request does not matter; the turn's end is reported separately.
    this.stream.request("interrupt", { cancel_queued: true }).catch(() => {});
  }

  protected async cleanUp(): Promise<void> {
    await this.#files.remove();
    const { socket } = this.incoming;
    if (socket !== undefined) await removeSocket(socket);
  }

  protected async setModel(model: string): Promise<void> {
    try {
      await this.stream.request("set_model", { model });
    } catch (error) {
      if (refusalOf(error)?.data !== "not_found") throw error;
      throw this.refused("model_unknown", `Claude Code does not know the model ${model}.`, error);
    }
  }

  protected async setMode(mode: Mode): Promise<void> {
    await this.stream.request("set_permission_mode", { mode: nativeModes[mode] });
  }

  #blocks(input: PromptInput): Promise<Block[]> {
    return blocksOf(input, this.options.cwd, this.context.limits.promptBytes);
  }
}

export async function openSession(context: AgentContext, given: OpenOptions, command: Command): Promise<AgentSession> {
  const resume = given.state === undefined ? undefined : decodeState(given.state);
  const options =
    resume === undefined || given.tools === undefined
      ? given
      : { ...given, tools: { ...given.tools, first: undefined } };
  // Reins chooses the id, so that the state is known before anything happens.
  const conversation = resume === undefined || options.fork === true ? randomUUID() : resume;
  const files = new PrivateFiles("claude");
  try {
    const { rest, settings } = await takeSettings(options.extraArgs ?? [], options.cwd);
    const written = await writeFiles(options, settings, files);
    const args = argumentsOf({ ...options, extraArgs: rest }, { id: conversation, resume }, written);
    const launch = { args, env: environmentOf(context.env, options.env) };
    const create = (child: Child) => new ClaudeSession({ context, options, child, files, conversation });
    return await launchSession(program, { context, options, command }, launch, create);
  } catch (error) {
    await files.remove();
    throw error;
  }
}

async function writeFiles(
  { systemPrompt, mcpServers }: OpenOptions,
  settings: string | undefined,
  files: PrivateFiles,
): Promise<LaunchFiles> {
  return {
    settings: settings === undefined ? undefined : await files.write("settings.json", settings),
    systemPrompt: systemPrompt === undefined ? undefined : await files.write("system-prompt.md", systemPrompt.text),
    mcpConfig:
      Object.keys(mcpServers ?? {}).length === 0 ? undefined : await files.write("mcp.json", mcpConfigOf(mcpServers!)),
  };
}

/**
 * A hook without a matcher holds every tool, including those of subagents. With `block`, a tool whose hook gives no
 * valid answer does not run.
 */
const hooks = { PreToolUse: [{ hookCallbackIds: ["hold"], timeout: 86_400, onFailure: "block" }] };

/** Registers the hook. The program answers with its commands, models, account and version. */
export async function initialize(
  stream: StreamJson,
  deadlineMs: number,
  printed: { readonly onlyGarbage: boolean } = { onlyGarbage: false },
): Promise<JsonObject> {
  const explain = (error: unknown): never => {
    const { onlyGarbage } = printed;
    return explainStart(program, error, onlyGarbage, (exit, tail) => failures.exit(exit, tail, onlyGarbage));
  };
  const answer = record(await stream.readUntil(stream.request("initialize", { hooks }, deadlineMs)).catch(explain));
  requireVersion(program, text(answer["claude_code_version"]));
  if (answer["hooks_applied"] === false)
    throw new ReinsError("protocol_error", "Claude Code does not let Reins control its tools.", { agent: "claude" });
  return answer;
}

export type Block =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "image";
      readonly source: { readonly type: "base64"; readonly media_type: string; readonly data: string };
    };

/** The prompt's own text comes last: the agent looks for slash commands and mentions only there. */
export async function blocksOf(input: PromptInput, cwd: string, maxBytes: number): Promise<Block[]> {
  const { texts, images } = await attachedTo(input, cwd, maxBytes);
  const said = input.text.trim() === "" ? texts : [...texts, input.text];
  return [
    ...images.map(({ mediaType, data }): Block => ({
      type: "image",
      source: { type: "base64", media_type: mediaType, data },
    })),
    ...said.map((text): Block => ({ type: "text", text })),
  ];
}
