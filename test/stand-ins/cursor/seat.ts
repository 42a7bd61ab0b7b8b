/** Everything that one conversation works with. */
import { randomUUID } from "node:crypto";
import { mcpServers, terminal, type McpServers, type McpServerSettings, type Terminal } from "../agent-loop/index.ts";
import type { Account } from "./account.ts";
import type { Arguments } from "./arguments.ts";
import type { Channel } from "./channel.ts";
import type { Chat } from "./chats.ts";
import { rulesFor, type Rules } from "./config.ts";
import { Hooks } from "./hooks/hooks.ts";
import type { Model } from "./models.ts";
import { transcriptPath } from "./places.ts";
import { Transcript } from "./transcript.ts";
import type { Traps } from "./traps.ts";
import { isTrusted } from "./trust.ts";

export type Mode = "agent" | "ask" | "plan";

export interface SeatOptions {
  readonly given: Arguments;
  readonly traps: Traps;
  readonly account: Account;
  readonly chat: Chat;
  readonly mode: Mode;
  readonly model: Model;
  readonly kind: "print" | "acp";
  readonly channel: Channel;
  readonly servers: ReadonlyMap<string, McpServerSettings>;
}

export class Seat {
  readonly given: Arguments;
  readonly traps: Traps;
  readonly account: Account;
  readonly chat: Chat;
  readonly channel: Channel;
  readonly hooks: Hooks;
  readonly transcript: Transcript;
  readonly terminal: Terminal;
  readonly mcp: McpServers;
  readonly cwd: string;
  readonly roots: readonly string[];
  readonly force: boolean;
  readonly #kind: "print" | "acp";
  mode: Mode;
  model: Model;
  /** The model's text before the current call. */
  lastSaid = "";
  /** The context from sessionStart hooks for the model; undefined before the session has started. */
  context: readonly string[] | undefined;
  readonly startedAt = Date.now();

  constructor(options: SeatOptions) {
    const { given, traps, account, chat, channel, mode, model, kind, servers } = options;
    this.given = given;
    this.traps = traps;
    this.account = account;
    this.chat = chat;
    this.channel = channel;
    this.mode = mode;
    this.model = model;
    this.cwd = chat.cwd;
    this.roots = [chat.cwd, ...given.values("addDir")];
    this.force = given.is.has("force");
    this.#kind = kind;
    this.transcript = new Transcript(transcriptPath(chat.cwd, chat.id));
    this.terminal = terminal();
    this.mcp = mcpServers(servers, chat.cwd);
    this.hooks = new Hooks({
      traps,
      channel: kind,
      chat: chat.id,
      cwd: chat.cwd,
      roots: this.roots,
      trusted: isTrusted(chat.cwd, given),
      pluginDirs: given.values("pluginDir"),
      transcript: this.transcript.path,
      model: () => this.model.slug,
    });
    this.hooks.generation = randomUUID();
  }

  rules(): Rules {
    return rulesFor(this.cwd);
  }

  /** Edits run without asking, although the documentation says that they are only proposed. */
  asksAbout(tool: string): boolean {
    if (tool === "write_file" || tool === "edit_file") return this.#kind === "acp" && this.traps.asksEdits;
    if (tool === "call_mcp_tool" || tool === "delete_file") return this.#kind === "acp";
    return tool === "run_terminal_cmd" || tool === "web_fetch" || tool === "web_search";
  }

  /** Over ACP it always asks its client about these tools, whatever was allowed at the start. */
  alwaysAsksAbout(tool: string): boolean {
    return this.#kind === "acp" && (tool === "web_search" || tool === "call_mcp_tool");
  }

  async close(reason: string): Promise<void> {
    this.terminal.end();
    this.mcp.close();
    if (this.context === undefined) return;
    const told = { session_id: this.chat.id, reason, duration_ms: Date.now() - this.startedAt };
    await this.hooks.fire("sessionEnd", "", { ...told, is_background_agent: false, final_status: reason });
  }
}
