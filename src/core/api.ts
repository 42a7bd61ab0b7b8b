/** The interface callers see; `core` implements it in-process. */
import type {
  AboutFact,
  AgentEntry,
  Attachment,
  ManagementCommand,
  McpServerInfo,
  McpToolInfo,
  Place,
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
import type { CloudManagement, ReceiveWebhook } from "../agents/shared/remote.ts";
import type { HooksManagement } from "../agents/shared/hooks.ts";
import type { AfterSteps } from "./session/after-steps.ts";
import type { AgentFileInfo } from "./config/agent-files.ts";
import type { Budget } from "./budget/budget.ts";
import type { ContinueRule } from "./session/after-turn.ts";
import type { CloudTarget, CloudTargetChoice } from "../view/cloud.ts";
import type { RepositoryStatus } from "../view/repository.ts";
import type { RepositoryActionRequest, RepositoryActionResult } from "../view/repository-actions.ts";
import type { ComparisonsApi } from "./comparisons/types.ts";
import type { PolicyView } from "./policy/policy-types.ts";
import type { Rule } from "./policy/rule.ts";
import type {
  BreakerRow,
  Collected,
  CollectOptions,
  LimitRow,
  SearchHit,
  SearchOptions,
  SessionFilter,
  Store,
  StoredLeg,
  StoredSession,
  StoredTurn,
  UsageRow,
} from "./log/types.ts";

export type {
  ChangedFile,
  Comparison,
  ComparisonDetails,
  ComparisonEntry,
  ComparisonsApi,
  EntryChanges,
  EntryState,
  KeepAnswer,
  KeptEntry,
  NewComparison,
} from "./comparisons/types.ts";
export type { ListedRule, PolicyTrial, PolicyView, TriedCall } from "./policy/policy-types.ts";

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
  /** Keeps every session: `openStore()` of `reins/store`. Whoever opened it closes it, after this Reins. Default: nothing is kept. */
  readonly store?: Store | undefined;
  /** `always` becomes a rule for that folder, in the person's own folder. Default: where there is a store. */
  readonly keepAnswers?: boolean | undefined;
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
  /** The agents that are files, of the person and of the project in this folder. */
  agentFiles(options?: { readonly cwd?: string }): Promise<readonly AgentFileInfo[]>;
  /** One agent, its models too. */
  agent(id: string): Promise<AgentStatus>;
  /** Signing in and out, its models, its MCP servers. What it has no means for throws `unsupported`, with what to do instead. */
  manage(id: string): Promise<Management>;
  /** The agents that work elsewhere, by id. */
  clouds(): Promise<readonly string[]>;
  /** Where a cloud agent that is started from a folder works: what was chosen there before, and what its git repository suggests. */
  cloudTarget(at?: { readonly cwd?: string | undefined }): Promise<CloudTargetChoice>;
  /** Remembers a choice for the folder; undefined forgets it. Throws `invalid_input` for an address or a name that cannot be used. */
  saveCloudTarget(target: CloudTarget | undefined, at?: { readonly cwd?: string | undefined }): Promise<void>;
  /** Opens a conversation about one folder. */
  session(options?: SessionOptions): Promise<Session>;
  /** Starts the agent for a session that somebody is about to open with the same options, so that it is there by then. */
  warm(options?: SessionOptions): Promise<void>;
  /** One prompt in a session of its own, which is closed after it. */
  run(prompt: Prompt, options?: SessionOptions & TurnOptions): Turn;
  /** The request that would go to the model, from `resume` or fresh; nothing is sent. `unsupported` where an agent does not tell. */
  context(options?: ContextRequest): Promise<ModelContext>;
  /** The rules that count in a folder. */
  policy(options?: { readonly cwd?: string | undefined }): Promise<PolicyView>;
  /** The repository of a folder, its branch and pull request, and the next step. Undefined where there is no work tree of git. */
  repository(at?: { readonly cwd?: string | undefined }): Promise<RepositoryStatus | undefined>;
  /**
   * The next step of a repository, or the one that is named: the commands that do it, which run with `confirm`, or a prompt for an agent.
   * Throws `invalid_input` with the reason where it is not possible now.
   */
  repositoryAction(request?: RepositoryActionRequest): Promise<RepositoryActionResult>;
  /** The sessions that are kept. */
  readonly sessions: KeptSessions;
  /** Comparisons: the same prompt on several agents, each in a git worktree of its own. */
  readonly comparisons: ComparisonsApi;
  /** What was used, from a day on (YYYY-MM-DD), and what is known of each agent's plan. */
  usage(since?: string): Promise<Usage>;
  /** The agents that any Reins of this person runs now. */
  running(): Promise<readonly RunningAgent[]>;
  /** Ends every session and every process. */
  close(): Promise<void>;
}

/**
 * What a store has of sessions. A session is named by its id or the beginning of it, by an agent's own id of it, or `last` for the last
 * one in the current folder. Without a store everything here throws `unsupported`.
 */
export interface KeptSessions {
  /** The one that was used last first. */
  list(filter?: SessionFilter): Promise<readonly StoredSession[]>;
  get(name: string): Promise<SessionDetails>;
  /** Everything that was recorded of it, as it was shown. */
  events(name: string, options?: { readonly after?: number }): AsyncIterable<ReinsEvent>;
  rename(name: string, title: string): Promise<StoredSession>;
  remove(name: string): Promise<StoredSession>;
  /** The conversation as another session, to be resumed. The files of the workspace are not forked. */
  fork(name: string): Promise<StoredSession>;
  search(words: string, options?: SearchOptions): Promise<readonly SearchHit[]>;
  /** What was too large for an event, by its `ref`. */
  content(ref: string): Promise<Uint8Array>;
  collect(options?: CollectOptions): Promise<Collected>;
  /**
   * Brings in what an agent itself keeps of its conversations, whoever held them, newest first; each once, and again when it has
   * grown. An agent that keeps none throws `unsupported`. Without an agent, of all that keep some.
   */
  import(agent?: string, options?: { readonly cwd?: string | undefined }): AsyncIterable<Brought>;
}

/** What became of one conversation that an agent keeps. */
export interface Brought {
  readonly agent: string;
  /** The agent's own id of it. */
  readonly nativeId: string;
  readonly title?: string | undefined;
  readonly cwd: string;
  readonly updatedAt: string;
  readonly messages: number;
  /** It is new here, it had grown, it was here before (brought or held), or it could not be read. */
  readonly outcome: "added" | "grown" | "known" | "failed";
  /** What it is here. */
  readonly session?: StoredSession | undefined;
  /** Why it failed. */
  readonly message?: string | undefined;
}

export interface SessionDetails extends StoredSession {
  readonly legs: readonly StoredLeg[];
  readonly allTurns: readonly StoredTurn[];
  /** The process that works with it now. */
  readonly pid?: number | undefined;
}

export interface Usage {
  readonly rows: readonly UsageRow[];
  readonly limits: readonly LimitRow[];
  /** What is known to be down, and until when. */
  readonly down: readonly BreakerRow[];
}

export interface RunningAgent {
  readonly agent: string;
  readonly pid: number;
  /** The Reins that started it. */
  readonly owner: number;
  readonly session?: string | undefined;
  readonly title?: string | undefined;
  readonly cwd?: string | undefined;
}

export interface AgentStatus extends Readiness {
  readonly id: string;
  readonly name: string;
  readonly experimental: boolean;
  /** Part of Reins: works with nothing installed. */
  readonly builtIn?: boolean | undefined;
  /** Nobody by itself, but a name for any that is named further or configured. */
  readonly family?: boolean | undefined;
  /** What its prompts may say, where that is a language of its own. */
  readonly promptHelp?: string | undefined;
  readonly capabilities: Capabilities;
  /** Variables with its keys that are set, by name. */
  readonly keysSet?: readonly string[] | undefined;
  /** Variables that may hold its keys, set or not. */
  readonly keyVariables?: readonly string[] | undefined;
  /** The version that the tests of Reins are pinned to. */
  readonly testedVersion?: string | undefined;
}

/** Commands for a person to run in a terminal of theirs; `interface` is the agent's own. */
type PersonsCommands = Record<"login" | "logout" | "update" | "interface", () => Promise<ManagementCommand>>;

/** The same for every agent. */
export interface Management extends PersonsCommands {
  about(): Promise<readonly AboutFact[]>;
  /** `fresh`: asked now, not remembered. */
  models(options?: { readonly fresh?: boolean }): Promise<readonly ModelInfo[]>;
  /** Whether its key works; no model is asked. */
  verify(): Promise<Verification>;
  /** For the folder that is named, else the current one, where the agent keeps them by folder. */
  readonly mcp: {
    list(at?: Place): Promise<readonly McpServerInfo[]>;
    tools(name: string, at?: Place): Promise<readonly McpToolInfo[]>;
    enable(name: string, at?: Place): Promise<void>;
    disable(name: string, at?: Place): Promise<void>;
    login(name: string): Promise<ManagementCommand>;
  };
  /** Hooks of ours in its files; a session puts them there by itself where it needs them. */
  readonly hooks: HooksManagement;
  /** An empty conversation of the agent's own in that folder, else the current one; its state is what a session resumes. */
  createConversation(at?: Place): Promise<string>;
  /** Of an agent that works elsewhere; not there for others. */
  readonly cloud: Cloud | undefined;
  /** ... and what its service calls back, for a server to mount. */
  readonly receiveWebhook: ReceiveWebhook | undefined;
}

/** What runs elsewhere. */
export interface Cloud extends CloudManagement {
  /** What was said and done there so far, as far as the service tells, as events of a session. */
  conversation(id: string): Promise<readonly ReinsEvent[]>;
}

/** A permission as its callback sees it. */
export type PermissionRequest = EventOf<"permission.requested">;
export type QuestionRequest = EventOf<"question.requested">;

/** `always` is allow_always, `stop` denies and ends the turn. */
export type PermissionReply = "allow" | "always" | "deny" | "stop" | Omit<PermissionAnswer, "cancelled">;
export type QuestionReply =
  | Omit<QuestionAnswer, "cancelled">
  | Readonly<Record<string, string | readonly string[]>>
  | "skip";

export interface SessionOptions extends Partial<Omit<OpenOptions, "sessionId" | "cwd" | "mode" | "state" | "signal">> {
  /** By id, or by the name of an agent file; without it the agent that `model` implies, else the default, else the first ready one. */
  readonly agent?: string | undefined;
  /** An agent file to go by, whoever the agent is. */
  readonly agentFile?: string | undefined;
  /** The folder to work in. Default: the current one. */
  readonly cwd?: string | undefined;
  /** Default: `ask`. */
  readonly mode?: Mode | undefined;
  /** Where the call names no mode: none that is wider than this one, whatever is configured. */
  readonly widestMode?: Mode | undefined;
  /** The language to answer in, as a BCP 47 tag: `de`, `pt-BR`. */
  readonly locale?: string | undefined;
  /**
   * A state from an earlier session: `session.state` or a turn's `state`. With a store also the id of a session, an agent's own id
   * of one, or `last`: the last one in this folder. A session that is kept goes on in its own log.
   */
  readonly resume?: string | undefined;
  /** Rules that go before those of the configuration. Without any, the mode decides, and what a person answers. */
  readonly rules?: readonly Rule[] | undefined;
  /** Go on with an agent that cannot be held to everything that is denied; what it is not held to is said. */
  readonly allowUnenforced?: boolean | undefined;
  /** Asked for every permission; the signal aborts when it is settled otherwise (cancel, deadline). */
  readonly onPermission?:
    | ((request: PermissionRequest, signal: AbortSignal) => PermissionReply | Promise<PermissionReply>)
    | undefined;
  readonly onQuestion?:
    | ((request: QuestionRequest, signal: AbortSignal) => QuestionReply | Promise<QuestionReply>)
    | undefined;
  /** Fail a turn (`agent_hung`) after this much silence. Default: silence alone never fails a turn. */
  readonly maxQuietMs?: number | undefined;
  /** Who takes over, in this order, when the agent cannot go on: ids, or names of agent files. */
  readonly fallback?: readonly string[] | undefined;
  /** With `resume` of a kept session: this agent goes on with it, and is told what was said and done so far. */
  readonly handoff?: string | undefined;
  /** How it is taken over; what is not said is as it is configured. */
  readonly route?: RouteOptions | undefined;
  /** What may be spent; figure by figure before what is configured. */
  readonly budget?: Budget | undefined;
  /** Commands to run after each turn that is done, instead of those that are configured. No shell. */
  readonly after?: AfterSteps | undefined;
  /** When the agent is prompted again by itself, instead of what is configured. */
  readonly continue?: readonly ContinueRule[] | undefined;
  /** Somebody answers through `answer()`. Without this or a callback a permission is denied at once. */
  readonly attended?: boolean | undefined;
  /** How many bytes of a message stand in its event; what is longer is cut there. Default: the limit of this Reins. */
  readonly messageBytes?: number | undefined;
}

export interface RouteOptions {
  /** How far away the end of a limit may be to be waited for, instead of moving on. Default: a minute. */
  readonly patienceMs?: number | undefined;
  /** When the turn has changed something already: the next agent goes on (default), or the turn ends. */
  readonly afterSideEffects?: "handoff" | "stop" | undefined;
  /** How many characters the next agent is told at most. Default: 24,000. */
  readonly briefingChars?: number | undefined;
}

export type Prompt = string | { readonly text: string; readonly attachments?: readonly Attachment[] | undefined };

export interface ContextRequest extends Omit<SessionOptions, "onPermission" | "onQuestion"> {
  /** What would be said next. */
  readonly prompt?: Prompt | undefined;
}

export interface TurnOptions {
  /** What happens while another turn runs: refused with `session_busy` (default), after it, or into it. */
  readonly whenBusy?: "reject" | "queue" | "steer" | undefined;
  /** The id of the turn, where the caller has made one: `turn_` and a UUID that was never used. */
  readonly id?: string | undefined;
  /** Cancels the turn. */
  readonly signal?: AbortSignal | undefined;
}

export interface Session extends AsyncDisposable {
  readonly id: string;
  readonly agent: string;
  readonly cwd: string;
  /** What was chosen for it; it is not known here where a server holds the session. */
  readonly mode?: Mode | undefined;
  /** The last event that was recorded before this Reins took the session up; 0 for a new one. */
  readonly resumedAt: number;
  /** Opaque: store it and hand it back as `resume`. */
  readonly state: string | undefined;
  prompt(prompt: Prompt, options?: TurnOptions): Turn;
  /** Everything of this session, also what happens between turns, from a sequence number on. */
  events(options?: { readonly after?: number; readonly signal?: AbortSignal }): AsyncIterable<ReinsEvent>;
  answer(requestId: string, reply: PermissionReply | QuestionReply): void;
  /**
   * Whether a person is connected who can answer: a request then waits without a deadline. False at first. When the last one leaves, the
   * configured deadlines apply to what waits, until somebody is there again. A server keeps it for the sessions that it holds.
   */
  setPresence?(present: boolean): void;
  configure(change: { readonly model?: string; readonly mode?: Mode }): Promise<void>;
  /**
   * Another agent goes on, with what was said and done so far, also with the turn that runs. One that had the session before goes on
   * from where it was. Throws where it cannot, and then all stays as it is; but a running turn has been stopped by then.
   */
  handoff(options: { readonly to: string }): Promise<void>;
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
