/** The interface callers see; `core` implements it in-process. */
import type {
  AboutFact,
  AgentEntry,
  Attachment,
  ManagementCommand,
  McpServerInfo,
  ModelContext,
  ModelInfo,
  OpenOptions,
  PermissionAnswer,
  QuestionAnswer,
  Readiness,
  Verification,
} from "../agents/contract.ts";
import type { Capabilities } from "../events/capabilities.ts";
import type { Deadlines } from "../events/deadlines.ts";
import type { Limits } from "../events/limits.ts";
import type { Mode } from "../events/modes.ts";
import type { EventOf, ReinsEvent } from "../events/types.ts";

export interface ReinsOptions {
  /** Overrides rows of the table of deadlines. */
  readonly deadlines?: Partial<Deadlines> | undefined;
  /** Overrides rows of the table of limits. */
  readonly limits?: Partial<Limits> | undefined;
  /** The tiny process that ends everything when this process dies, kill -9 included. Default: true. */
  readonly guardian?: boolean | undefined;
  /** Instead of `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Further agents, or others under the same ids. */
  readonly agents?: readonly AgentEntry[] | undefined;
  /** How many agents live at once, how much memory they may have, and how many are started ahead of time. */
  readonly warm?: WarmOptions | undefined;
  /** What a session uses when it says nothing itself. */
  readonly defaults?: { readonly agent?: string; readonly model?: string; readonly mode?: Mode } | undefined;
}

export interface WarmOptions {
  /** Agents that live at once; above that the longest idle one sleeps until its next prompt. Default: 16. */
  readonly agents?: number | undefined;
  /** Megabytes all of them may have; above that idle ones sleep, and a start waits. Default: three quarters of the machine's. */
  readonly memoryMb?: number | undefined;
  /** Megabytes of the machine that must be free for one more. Default: 256. */
  readonly freeMb?: number | undefined;
  /** How many sessions `warm()` keeps, and for how long. Default: 2, for ten minutes. */
  readonly pool?: number | undefined;
  readonly poolMs?: number | undefined;
}

export interface Reins extends AsyncDisposable {
  /** Every agent and whether it is ready; all are asked at once, each with its deadline. `fresh`: also what was asked before. */
  agents(options?: { readonly fresh?: boolean }): Promise<readonly AgentStatus[]>;
  /** One agent, its models too. */
  agent(id: string): Promise<AgentStatus>;
  /** Signing in and out, its models, its MCP servers. What it has no means for throws `unsupported`, with what to do instead. */
  manage(id: string): Promise<Management>;
  /** Opens a conversation about one folder. */
  session(options?: SessionOptions): Promise<Session>;
  /** Starts the agent for a session that somebody is about to open with the same options, so that it is there by then. */
  warm(options?: SessionOptions): Promise<void>;
  /** One prompt in a session of its own, which is closed after it. */
  run(prompt: Prompt, options?: SessionOptions & TurnOptions): Turn;
  /**
   * What would be sent to the model, without sending it: of a session that goes on from `resume`, or of a fresh one. An agent that
   * does not tell it throws `unsupported`.
   */
  context(options?: ContextRequest): Promise<ModelContext>;
  /** Ends every session and every process. */
  close(): Promise<void>;
}

export interface AgentStatus extends Readiness {
  readonly id: string;
  readonly name: string;
  readonly experimental: boolean;
  /** Part of Reins: works with nothing installed. */
  readonly builtIn?: boolean | undefined;
  /** What its prompts may say, where that is a language of its own. */
  readonly promptHelp?: string | undefined;
  readonly capabilities: Capabilities;
  /** Variables with its keys that are set, by name. */
  readonly keysSet?: readonly string[] | undefined;
  /** The version that the tests of Reins are pinned to. */
  readonly testedVersion?: string | undefined;
}

/** The same for every agent. */
export interface Management {
  /** A command for a person to run in a terminal of theirs. */
  login(): Promise<ManagementCommand>;
  logout(): Promise<ManagementCommand>;
  update(): Promise<ManagementCommand>;
  about(): Promise<readonly AboutFact[]>;
  /** `fresh`: asked now, not remembered. */
  models(options?: { readonly fresh?: boolean }): Promise<readonly ModelInfo[]>;
  /** Whether its key works; no model is asked. */
  verify(): Promise<Verification>;
  readonly mcp: {
    list(): Promise<readonly McpServerInfo[]>;
    enable(name: string): Promise<void>;
    disable(name: string): Promise<void>;
    login(name: string): Promise<ManagementCommand>;
  };
}

/** A permission as its callback sees it. */
export type PermissionRequest = EventOf<"permission.requested">;
export type QuestionRequest = EventOf<"question.requested">;

/** `always` is allow_always, `stop` denies and ends the turn. */
export type PermissionReply = "allow" | "always" | "deny" | "stop" | PermissionAnswer;
export type QuestionReply = QuestionAnswer | Readonly<Record<string, string | readonly string[]>> | "skip";

export interface SessionOptions extends Partial<Omit<OpenOptions, "sessionId" | "cwd" | "mode" | "state" | "signal">> {
  /** By id; without it the agent that `model` implies, else the default, else the first ready one. */
  readonly agent?: string | undefined;
  /** The folder to work in. Default: the current one. */
  readonly cwd?: string | undefined;
  /** Default: `ask`. */
  readonly mode?: Mode | undefined;
  /** The language to answer in, as a BCP 47 tag: `de`, `pt-BR`. */
  readonly locale?: string | undefined;
  /** A state from an earlier session: `session.state` or a turn's `state`. */
  readonly resume?: string | undefined;
  /** Asked for every permission; the signal aborts when it is settled otherwise (cancel, deadline). */
  readonly onPermission?:
    | ((request: PermissionRequest, signal: AbortSignal) => PermissionReply | Promise<PermissionReply>)
    | undefined;
  readonly onQuestion?:
    | ((request: QuestionRequest, signal: AbortSignal) => QuestionReply | Promise<QuestionReply>)
    | undefined;
  /** Fail a turn (`agent_hung`) after this much silence. Default: silence alone never fails a turn. */
  readonly maxQuietMs?: number | undefined;
  /** Somebody answers through `answer()`. Without this or a callback a permission is denied at once. */
  readonly attended?: boolean | undefined;
}

export type Prompt = string | { readonly text: string; readonly attachments?: readonly Attachment[] | undefined };

export interface ContextRequest extends Omit<SessionOptions, "onPermission" | "onQuestion"> {
  /** What would be said next. */
  readonly prompt?: Prompt | undefined;
}

export interface TurnOptions {
  /** What happens while another turn runs: refused with `session_busy` (default), after it, or into it. */
  readonly whenBusy?: "reject" | "queue" | "steer" | undefined;
  /** Cancels the turn. */
  readonly signal?: AbortSignal | undefined;
}

export interface Session extends AsyncDisposable {
  readonly id: string;
  readonly agent: string;
  readonly cwd: string;
  /** Opaque: store it and hand it back as `resume`. */
  readonly state: string | undefined;
  prompt(prompt: Prompt, options?: TurnOptions): Turn;
  /** Everything of this session, also what happens between turns, from a sequence number on. */
  events(options?: { readonly after?: number; readonly signal?: AbortSignal }): AsyncIterable<ReinsEvent>;
  answer(requestId: string, reply: PermissionReply | QuestionReply): void;
  configure(change: { readonly model?: string; readonly mode?: Mode }): Promise<void>;
  /** Cancels the running turn and what is queued. Settles when the turn is over. */
  cancel(): Promise<void>;
  close(): Promise<void>;
}

/** What a turn came to: its `turn.completed`. */
export type TurnResult = EventOf<"turn.completed">;

/**
 * One prompt and what follows until the agent rests. Iterate it for events, or await `result`; both, either or neither.
 * Failures of the agent are results (`outcome`, `error`), not rejections: only a prompt that was never taken rejects.
 */
export interface Turn extends AsyncIterable<ReinsEvent> {
  readonly id: string;
  readonly result: Promise<TurnResult>;
  cancel(): Promise<void>;
  answer(requestId: string, reply: PermissionReply | QuestionReply): void;
}
