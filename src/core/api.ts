/** The public interface of Reins. `core` implements it in this process, `client` over the API of a server. */
import type {
  AgentEntry,
  Attachment,
  ModelContext,
  OpenOptions,
  PermissionAnswer,
  QuestionAnswer,
} from "../agents/contract.ts";
import type { Deadlines } from "../events/deadlines.ts";
import type { Limits } from "../events/limits.ts";
import type { Mode } from "../events/modes.ts";
import type { EventOf, ReinsEvent } from "../events/types.ts";
import type { AfterSteps } from "./session/after-steps.ts";
import type { AgentStatus, Management, RunningAgent } from "./catalog/types.ts";
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
export type { AgentStatus, Cloud, Management, RunningAgent } from "./catalog/types.ts";
export type { ListedRule, PolicyTrial, PolicyView, TriedCall } from "./policy/policy-types.ts";

/** Options of `createReins`. All are optional. */
export interface ReinsOptions {
  /** Overrides rows of the default deadlines, in milliseconds: `{ permission: 60_000 }`. */
  readonly deadlines?: Partial<Deadlines> | undefined;
  /** Overrides rows of the default size limits, in bytes: `{ promptBytes: 1_000_000 }`. */
  readonly limits?: Partial<Limits> | undefined;
  /** Runs a small helper process that ends all agents when this process dies, even by `kill -9`. Default: true. */
  readonly guardian?: boolean | undefined;
  /** Environment variables to use instead of `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Additional agents. An entry whose id already exists replaces that agent. */
  readonly agents?: readonly AgentEntry[] | undefined;
  /** Limits on running agents and memory, and the number of agents started ahead of time. */
  readonly warm?: WarmOptions | undefined;
  /** Stores every session: pass `openStore()` from `reins/store`, and close it yourself after this Reins. Default: no store. */
  readonly store?: Store | undefined;
  /** Saves "always" answers as rules for their folder, in the user's own Reins folder. Default: true when there is a store. */
  readonly keepAnswers?: boolean | undefined;
  /** Agent, model and mode of a session whose options name none. */
  readonly defaults?: { readonly agent?: string; readonly model?: string; readonly mode?: Mode } | undefined;
}

/** How many agents run at once, and how many are started ahead of time. */
export interface WarmOptions {
  /** Agents that run at once. Above this number the longest idle agent sleeps until its next prompt. Default: 16. */
  readonly agents?: number | undefined;
  /**
   * Megabytes that all agents together may use. Above this idle agents sleep and new ones wait. Default: three
   * quarters of the machine's memory.
   */
  readonly memoryMb?: number | undefined;
  /** Megabytes that must be free on the machine before another agent starts. Default: 256. */
  readonly freeMb?: number | undefined;
  /** Number of sessions that `warm()` keeps. Default: 2. */
  readonly pool?: number | undefined;
  /** How long `warm()` keeps a session, in milliseconds. Default: 600,000 (ten minutes). */
  readonly poolMs?: number | undefined;
}

/**
 * Entry point: runs prompts, opens sessions, and manages agents. Create it with `createReins()` and close it when done.
 *
 * @example
 * await using reins = createReins();
 * for await (const event of reins.run("Fix the failing test.", { cwd: "my-app" }))
 *   if (event.type === "message.delta") process.stdout.write(event.text);
 */
export interface Reins extends AsyncDisposable {
  /** Lists every agent and whether it is ready. Asks all agents in parallel, each with a deadline. `fresh` ignores cached results. */
  agents(options?: { readonly fresh?: boolean }): Promise<readonly AgentStatus[]>;
  /** Lists the agents defined by files, of the user and of the project in `cwd`. */
  agentFiles(options?: { readonly cwd?: string }): Promise<readonly AgentFileInfo[]>;
  /** Returns the status of one agent, including its models. */
  agent(id: string): Promise<AgentStatus>;
  /** Manages one agent: sign-in, models, MCP servers. Throws `unsupported`, with advice, for actions that the agent does not offer. */
  manage(id: string): Promise<Management>;
  /** Ids of the agents that run remotely (cloud agents). */
  clouds(): Promise<readonly string[]>;
  /** Returns the repository and branch for a cloud agent started from a folder: the saved choice, and the suggestion from git. */
  cloudTarget(at?: { readonly cwd?: string | undefined }): Promise<CloudTargetChoice>;
  /** Saves the choice for the folder; undefined deletes it. Throws `invalid_input` for a URL or branch name that cannot be used. */
  saveCloudTarget(target: CloudTarget | undefined, at?: { readonly cwd?: string | undefined }): Promise<void>;
  /** Opens a session: a conversation about one folder. */
  session(options?: SessionOptions): Promise<Session>;
  /** Starts an agent ahead of time, for a session that will soon be opened with the same options. */
  warm(options?: SessionOptions): Promise<void>;
  /** Runs one prompt in a session of its own and closes the session afterwards. */
  run(prompt: Prompt, options?: SessionOptions & TurnOptions): Turn;
  /** Returns the request that would go to the model, without sending it. Throws `unsupported` when the agent cannot report it. */
  context(options?: ContextRequest): Promise<ModelContext>;
  /** Returns the permission rules that apply in a folder. */
  policy(options?: { readonly cwd?: string | undefined }): Promise<PolicyView>;
  /** Returns repository, branch, pull request and suggested next step of a folder. Undefined outside a git work tree. */
  repository(at?: { readonly cwd?: string | undefined }): Promise<RepositoryStatus | undefined>;
  /**
   * Prepares the suggested next step, or the named one: commands, which run only with `confirm`, or a prompt for an
   * agent. Throws `invalid_input` with the reason when the step is not possible now.
   */
  repositoryAction(request?: RepositoryActionRequest): Promise<RepositoryActionResult>;
  /** The stored sessions. Needs a store. */
  readonly sessions: KeptSessions;
  /** Comparisons: the same prompt on several agents, each in its own git worktree. */
  readonly comparisons: ComparisonsApi;
  /** Returns usage since a day (`YYYY-MM-DD`), and the known limits of each agent's subscription. */
  usage(since?: string): Promise<Usage>;
  /** Lists the agents that any Reins process of this user runs now. */
  running(): Promise<readonly RunningAgent[]>;
  /** Closes every session and ends every process. */
  close(): Promise<void>;
}

/**
 * Sessions in the store. `name` is a session id or its beginning, the agent's own id of the conversation, or `last`
 * for the latest session in the current folder. Every method throws `unsupported` without a store.
 */
export interface KeptSessions {
  /** Lists sessions, most recently used first. */
  list(filter?: SessionFilter): Promise<readonly StoredSession[]>;
  /** Returns one session with its legs and turns. */
  get(name: string): Promise<SessionDetails>;
  /** Replays all recorded events of a session, or those after a sequence number. */
  events(name: string, options?: { readonly after?: number }): AsyncIterable<ReinsEvent>;
  /** Changes the title. */
  rename(name: string, title: string): Promise<StoredSession>;
  /** Deletes the session and its events. Returns what was deleted. */
  remove(name: string): Promise<StoredSession>;
  /** Copies the conversation into a new session that can be resumed. Files in the workspace are not copied. */
  fork(name: string): Promise<StoredSession>;
  /** Full-text search over all stored conversations. */
  search(words: string, options?: SearchOptions): Promise<readonly SearchHit[]>;
  /** Reads content that was too large for its event, by the event's `ref`. */
  content(ref: string): Promise<Uint8Array>;
  /** Deletes sessions by age or total size, and content that nothing refers to. */
  collect(options?: CollectOptions): Promise<Collected>;
  /**
   * Imports conversations from the agents' own history files, newest first. Each is imported once, and again when it
   * has grown. Throws `unsupported` for an agent that keeps no history. Without an agent, imports from all agents
   * that keep one.
   */
  import(agent?: string, options?: { readonly cwd?: string | undefined }): AsyncIterable<ImportResult>;
}

/** Result of importing one conversation. */
export interface ImportResult {
  readonly agent: string;
  /** The agent's own id of the conversation. */
  readonly nativeId: string;
  readonly title?: string | undefined;
  readonly cwd: string;
  readonly updatedAt: string;
  readonly messages: number;
  /** `added`: new. `grown`: extended. `known`: already stored and unchanged. `failed`: could not be read. */
  readonly outcome: "added" | "grown" | "known" | "failed";
  /** The session in the store. */
  readonly session?: StoredSession | undefined;
  /** Why the import failed. Set only for `failed`. */
  readonly message?: string | undefined;
}

/** A stored session with its legs and turns. */
export interface SessionDetails extends StoredSession {
  readonly legs: readonly StoredLeg[];
  readonly allTurns: readonly StoredTurn[];
  /** The process that holds the session now. Missing when no process does. */
  readonly pid?: number | undefined;
}

/** Usage, subscription limits and outages, as the store recorded them. */
export interface Usage {
  readonly rows: readonly UsageRow[];
  readonly limits: readonly LimitRow[];
  /** Agents that are known to be unavailable, and until when. */
  readonly down: readonly BreakerRow[];
}

/** A permission request, as passed to `onPermission`. */
export type PermissionRequest = EventOf<"permission.requested">;
/** A request with questions, as passed to `onQuestion`. */
export type QuestionRequest = EventOf<"question.requested">;

/**
 * Answer to a permission request. `allow`: this call. `always`: also later calls like it. `deny`: refuse this call.
 * `stop`: refuse it and end the turn. An object can also name an option of the request or a message for the agent:
 * `{ decision: "deny", message: "Use the test database." }`.
 */
export type PermissionReply = "allow" | "always" | "deny" | "stop" | Omit<PermissionAnswer, "cancelled">;
/** Answer to a question request: answers by question id, such as `{ color: "red" }`, or `skip`. */
export type QuestionReply =
  | Omit<QuestionAnswer, "cancelled">
  | Readonly<Record<string, string | readonly string[]>>
  | "skip";

/** Options of a session. All are optional. */
export interface SessionOptions extends Partial<Omit<OpenOptions, "sessionId" | "cwd" | "mode" | "state" | "signal">> {
  /**
   * Agent id, or the name of an agent file. Default: the agent that offers `model`, otherwise the configured default,
   * otherwise the first ready one.
   */
  readonly agent?: string | undefined;
  /** An agent file whose settings apply, whichever agent runs. */
  readonly agentFile?: string | undefined;
  /** The folder to work in. Default: the current one. */
  readonly cwd?: string | undefined;
  /** How much the agent may do without asking. Default: `ask`. */
  readonly mode?: Mode | undefined;
  /** Upper limit for a configured mode. Applies only when `mode` is not set. */
  readonly widestMode?: Mode | undefined;
  /** Language of the answers, as a BCP 47 tag: `de`, `pt-BR`. */
  readonly locale?: string | undefined;
  /**
   * Continues an earlier conversation: a `state` from a session or a turn. With a store also a session id, an agent's
   * own id of the conversation, or `last` for the latest session in this folder. A stored session continues in its
   * own log.
   */
  readonly resume?: string | undefined;
  /** Permission rules that apply before the configured ones. Without a matching rule the mode decides, then the user. */
  readonly rules?: readonly Rule[] | undefined;
  /** Runs an agent even if it cannot enforce every deny rule. A notice says which rules are not enforced. */
  readonly allowUnenforced?: boolean | undefined;
  /** Called for every permission request. The signal aborts when the request is settled elsewhere (cancel, deadline). */
  readonly onPermission?:
    | ((request: PermissionRequest, signal: AbortSignal) => PermissionReply | Promise<PermissionReply>)
    | undefined;
  /** Called for every question request. The signal works as in `onPermission`. */
  readonly onQuestion?:
    | ((request: QuestionRequest, signal: AbortSignal) => QuestionReply | Promise<QuestionReply>)
    | undefined;
  /** Fails a turn with `agent_hung` after this many milliseconds of silence. Default: silence never fails a turn. */
  readonly maxQuietMs?: number | undefined;
  /** Agents that take over, in this order, when the agent cannot continue: ids, or names of agent files. */
  readonly fallback?: readonly string[] | undefined;
  /** With `resume` of a stored session: this agent continues it and receives a briefing of the conversation. */
  readonly handoff?: string | undefined;
  /** How a fallback takes over. Unset fields keep their configured value. */
  readonly route?: RouteOptions | undefined;
  /** Limits on tokens, cost and time. Each figure that is set overrides the configured one. */
  readonly budget?: Budget | undefined;
  /** Commands that run after each successful turn, instead of the configured ones. They run without a shell. */
  readonly after?: AfterSteps | undefined;
  /** Rules for prompting the agent again automatically, instead of the configured ones. */
  readonly continue?: readonly ContinueRule[] | undefined;
  /** Set this when your code answers requests with `answer()`. Without it or a callback, permissions are denied at once. */
  readonly attended?: boolean | undefined;
  /** Maximum bytes of a message in its event; longer messages are cut there. Default: the limit `messageBytes`. */
  readonly messageBytes?: number | undefined;
}

/** How a fallback agent takes over. */
export interface RouteOptions {
  /** When a limit resets within this many milliseconds, Reins waits instead of switching agents. Default: 60,000. */
  readonly patienceMs?: number | undefined;
  /** When the failed turn already changed something: the next agent continues (`handoff`, the default), or the turn ends (`stop`). */
  readonly afterSideEffects?: "handoff" | "stop" | undefined;
  /** Maximum characters of the briefing for the next agent. Default: 24,000. */
  readonly briefingChars?: number | undefined;
}

/** A prompt: text, or text with attached images and files. */
export type Prompt = string | { readonly text: string; readonly attachments?: readonly Attachment[] | undefined };

/** Options of `context()`. */
export interface ContextRequest extends Omit<SessionOptions, "onPermission" | "onQuestion"> {
  /** The next prompt. */
  readonly prompt?: Prompt | undefined;
}

/** Options of a prompt. */
export interface TurnOptions {
  /**
   * While another turn runs: `reject` fails with `session_busy` (default), `queue` runs the prompt afterwards, `steer`
   * adds it to the running turn.
   */
  readonly whenBusy?: "reject" | "queue" | "steer" | undefined;
  /** Id for the turn, made by the caller: `turn_` followed by a new UUID. */
  readonly id?: string | undefined;
  /** Aborting it cancels the turn. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * A conversation about one folder. Get it from `reins.session()` and close it when done.
 *
 * @example
 * await using session = await reins.session({ cwd: "my-app", mode: "edits" });
 * const { outcome, text } = await session.prompt("Add a test for the parser.").result;
 */
export interface Session extends AsyncDisposable {
  readonly id: string;
  /** Id of the agent that holds the session now. */
  readonly agent: string;
  readonly cwd: string;
  /** The selected mode. Missing when a server holds the session. */
  readonly mode?: Mode | undefined;
  /** Sequence number of the last event before this Reins resumed the session; 0 for a new session. */
  readonly resumedAt: number;
  /** Opaque state of the conversation. Store it and pass it as `resume` later. */
  readonly state: string | undefined;
  /** Sends a prompt. Iterate the turn for its events, or await `result`. */
  prompt(prompt: Prompt, options?: TurnOptions): Turn;
  /** All events of the session, including those between turns. `after` is the sequence number to continue from. */
  events(options?: { readonly after?: number; readonly signal?: AbortSignal }): AsyncIterable<ReinsEvent>;
  /** Answers a permission or question request, by its `requestId`. */
  answer(requestId: string, reply: PermissionReply | QuestionReply): void;
  /**
   * Tells the session whether a person who can answer is connected. Requests then wait without a deadline. Initially
   * false. When the last person leaves, the configured deadlines apply until somebody connects again. A server calls
   * this for its sessions.
   */
  setPresence?(present: boolean): void;
  /** Changes the model or the mode. */
  configure(change: { readonly model?: string; readonly mode?: Mode }): Promise<void>;
  /**
   * Hands the session, including a running turn, to another agent with a briefing. An agent that held the session
   * before continues from its own state. Throws when the agent cannot take over; the session then stays with the
   * current agent, but a running turn was stopped.
   */
  handoff(options: { readonly to: string }): Promise<void>;
  /** Cancels the running turn and all queued prompts. Resolves when the turn is over. */
  cancel(): Promise<void>;
  close(): Promise<void>;
}

/** The result of a turn: its `turn.completed` event. */
export type TurnResult = EventOf<"turn.completed">;

/**
 * A prompt and everything until the agent is done. Iterate it for events, await `result`, or both.
 * Failures of the agent are results (`outcome`, `error`). `result` rejects only when the prompt was never accepted.
 */
export interface Turn extends AsyncIterable<ReinsEvent> {
  readonly id: string;
  readonly result: Promise<TurnResult>;
  cancel(): Promise<void>;
  answer(requestId: string, reply: PermissionReply | QuestionReply): void;
}
