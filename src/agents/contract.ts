/** The contract between Reins and an agent: the only types through which the core uses one. */
import type { Capabilities } from "../events/capabilities.ts";
import type { Deadlines } from "../events/deadlines.ts";
import type { Limits } from "../events/limits.ts";
import type { Mode } from "../events/modes.ts";
import type { Redactor } from "../events/redact.ts";
import type { AgentEvent } from "../events/types.ts";
import type { Processes } from "../process/types.ts";
import type { RemoteOptions } from "./shared/remote.ts";
import type { AgentManagement } from "./shared/management.ts";
import type { Proof } from "./shared/proof.ts";

export type {
  AboutFact,
  AgentHistory,
  AgentManagement,
  ManagementAction,
  ManagementCommand,
  McpManagement,
  McpServerInfo,
  McpToolInfo,
  PastEvent,
  PastPrompt,
  PastSession,
  Place,
  Verification,
} from "./shared/management.ts";
export type { Proof, ProofLimit, ProofToolCall, SpelledToolCall } from "./shared/proof.ts";

/** An entry of the list in `agents/index.ts`: enough to choose an agent without loading its code. */
export interface AgentEntry {
  readonly id: string;
  readonly name: string;
  /** True when the model name belongs to this agent: `opus` selects Claude Code. */
  readonly servesModel?: (model: string) => boolean;
  /** Returns this agent's spelling of a unified model name or alias; undefined when the spelling is the same. */
  readonly ownModel?: (model: string) => string | undefined;
  /** Shown and usable by name, but never selected automatically. */
  readonly experimental?: boolean;
  /** Part of Reins: works without an installed program and without a sign-in. The tour uses this agent. */
  readonly builtIn?: boolean;
  /** A family of agents with ids such as "acp:<name>". Never selected automatically. */
  readonly family?: boolean;
  /** Configuration files in a workspace that are not hidden files. Changing one may make the agent run programs, so writes are held. */
  readonly protectedFiles?: readonly string[] | undefined;
  readonly load: () => Promise<AgentModule>;
}

/** The code of an agent, loaded when it is first used. */
export interface AgentModule {
  /** For a family, `id` is the id of the member, such as "acp:goose". */
  readonly createAgent: (context: AgentContext, id?: string) => Agent;
}

/** Services of the core that an agent uses. */
export interface AgentContext {
  readonly processes: Processes;
  /** The environment of the Reins process. An agent passes on only the variables that it declares. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly deadlines: Deadlines;
  readonly limits: Limits;
  readonly redact: Redactor;
  /** The `protectedFiles` of all agent entries. */
  readonly protectedFiles?: readonly string[] | undefined;
  /** Replaces the global `fetch`, for recording and replay. */
  readonly fetch?: typeof fetch | undefined;
}

/** A coding agent, such as Claude Code: detects its program, opens sessions, manages its settings. */
export interface Agent {
  readonly id: string;
  readonly name: string;
  /** Declared here; the contract suite proves each one. */
  readonly capabilities: Capabilities;
  /** Syntax of its prompts, when they follow a grammar. `reins run -a <id> --help` shows it. */
  readonly promptHelp?: string;
  /** Finds the program, its version, its sign-in and its models. Never throws. */
  probe(): Promise<Readiness>;
  /** Opens a new session, resumes one from `state`, or starts with `history`. */
  open(options: OpenOptions): Promise<AgentSession>;
  /** Returns the request that the next prompt would send to the model, without sending it. */
  context?(options: ContextOptions): Promise<ModelContext>;
  /** Called once at start: repairs files that a crash left changed. */
  recover?(): Promise<void>;
  readonly manage: AgentManagement;
  /** Names of environment variables that may hold its API keys. Their values are never shown. */
  readonly keyVariables?: readonly string[];
  readonly proof?: Proof;
}

/** A conversation with one agent. */
export interface AgentSession {
  /**
   * The only stream of events for the life of the leg, in batches. Ends when the agent has ended. The agent pauses
   * while nobody reads. After `process.exited`, only `turn.ended` and notices are used.
   */
  readonly events: AsyncIterable<readonly AgentEvent[]>;
  /**
   * Resolves when the agent has accepted the prompt; throws a ReinsError when it refuses. The agent starts no work
   * before `ready` resolves.
   */
  prompt(input: PromptInput, ready?: Promise<unknown>): Promise<void>;
  /** True when `prompt` may be called before `ready` resolves: the session prepares meanwhile and waits for `ready` itself. */
  readonly startsAhead?: true | undefined;
  /** Sends a prompt into the running turn. Throws when the agent did not accept it. */
  steer?(input: PromptInput): Promise<void>;
  /** Answers a `permission.requested`, `question.requested` or `tool.held`. Ignores an id that is unknown or already answered. */
  answer(requestId: string, answer: Answer): void;
  configure(change: { model?: string | undefined; mode?: Mode | undefined }): Promise<void>;
  /** Also works when nobody reads the events, when no turn runs, and while a permission is pending. The turn ends with `turn.ended`. */
  cancel(): Promise<void>;
  /** Opaque string that resumes this conversation. Only this agent can read it. */
  readonly state: string | undefined;
  /** Ends the agent and every process it started; `events` ends too. */
  close(): Promise<void>;
}

/** Result of `probe`: whether the agent is installed, signed in and ready for a prompt. */
export interface Readiness {
  /** The agent can take a prompt now, as far as Reins can tell without a request to a model. */
  readonly ready: boolean;
  readonly installed: boolean;
  readonly path?: string | undefined;
  /** Other programs of that name on the PATH, which Reins does not use. */
  readonly others?: readonly string[] | undefined;
  readonly version?: string | undefined;
  /** A newer version that the program has already recorded on disk. Reins makes no request to find out. */
  readonly newerVersion?: string | undefined;
  readonly signedIn: "yes" | "no" | "unknown";
  /** For example "API key (ANTHROPIC_API_KEY)" or "subscription". Names of variables, never their values. */
  readonly signedInHow?: string | undefined;
  /** Email address of the account, when the agent reports it separately from `signedInHow`. */
  readonly email?: string | undefined;
  readonly models?: readonly ModelInfo[] | undefined;
  /** When not ready: what to do next, in one sentence. */
  readonly help?: string | undefined;
}

/** A model that an agent offers. */
export interface ModelInfo {
  readonly id: string;
  readonly label?: string | undefined;
  readonly description?: string | undefined;
  readonly default?: boolean | undefined;
  /** The model that the agent uses when the caller names none. */
  readonly current?: boolean | undefined;
  /** The service that runs the model, such as `anthropic`. */
  readonly provider?: string | undefined;
  /** True when the model can think, or the names of its effort levels. */
  readonly thinking?: boolean | readonly string[] | undefined;
  /** Size of the context window in tokens. */
  readonly contextSize?: number | undefined;
}

/** A message of an earlier conversation. */
export interface HistoryMessage {
  readonly role: "person" | "agent";
  readonly text: string;
}

/** Which tools an agent may use without asking, and which never. */
export interface ToolFilter {
  /** Tools that run without asking, in addition to those the mode allows: canonical tool names or the agent's own names. */
  readonly allowed?: readonly string[] | undefined;
  /** Tools that never run. */
  readonly disallowed?: readonly string[] | undefined;
}

/** An MCP server: a command that Reins starts, or an address. */
export type McpServer =
  | { readonly command: string; readonly args?: readonly string[]; readonly env?: Readonly<Record<string, string>> }
  | { readonly type: "http" | "sse"; readonly url: string; readonly headers?: Readonly<Record<string, string>> };

/** Options of `Agent.open`. */
export interface OpenOptions {
  readonly sessionId: string;
  /** Absolute path of an existing folder. */
  readonly cwd: string;
  readonly mode: Mode;
  readonly model?: string | undefined;
  /** Used when the first model is overloaded. */
  readonly fallbackModel?: string | undefined;
  /** `AgentSession.state` of an earlier leg of the same agent: resumes that conversation. */
  readonly state?: string | undefined;
  /** Earlier messages, oldest first. Used only without `state`. */
  readonly history?: readonly HistoryMessage[] | undefined;
  /** With `state`: continue in a copy and leave the original conversation as it is. */
  readonly fork?: boolean | undefined;
  readonly systemPrompt?: { readonly text: string; readonly how: "append" | "replace" } | undefined;
  readonly tools?:
    | (ToolFilter & { /** Replaces the filter for the first prompt. */ readonly first?: ToolFilter | undefined })
    | undefined;
  readonly mcpServers?: Readonly<Record<string, McpServer>> | undefined;
  /** Further folders that the agent may work in, as absolute paths. */
  readonly directories?: readonly string[] | undefined;
  readonly maxTurns?: number | undefined;
  readonly maxBudgetUsd?: number | undefined;
  /** Further command-line arguments, passed on unchanged. */
  readonly extraArgs?: readonly string[] | undefined;
  /** Further environment variables. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Options for a remote agent. */
  readonly remote?: RemoteOptions | undefined;
  /** Keep the agent's original message on each event, as `raw`. */
  readonly raw?: boolean | undefined;
  /** Abort it to give up while the session is being opened: `open` then ends the agent and throws. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of `Agent.context`: those of a session, and its next prompt. */
export interface ContextOptions extends OpenOptions {
  readonly prompt?: PromptInput | undefined;
}

/** The input of a model request. */
export interface ModelContext {
  readonly model: string;
  readonly system: string;
  readonly tools: readonly { readonly name: string; readonly description: string; readonly inputSchema: unknown }[];
  /** Oldest first, in the format of the agent's model service. */
  readonly messages: readonly unknown[];
  /** The HTTP request without keys; set when there are messages to send. */
  readonly request?: { readonly url: string; readonly body: unknown } | undefined;
}

/** An image or a file that goes with a prompt. */
export type Attachment =
  | {
      readonly kind: "image";
      readonly mediaType: string;
      /** Base64. */ readonly data: string;
      readonly name?: string | undefined;
    }
  | AttachedPath<"image">
  | AttachedPath<"file">;

interface AttachedPath<Kind extends string> {
  readonly kind: Kind;
  readonly path: string;
  /** The name the user knows, when the file on disk has another one. */
  readonly name?: string | undefined;
}

/** A prompt to an agent. */
export interface PromptInput {
  readonly text: string;
  readonly attachments?: readonly Attachment[] | undefined;
}

/** The answer to a `permission.requested`. */
export interface PermissionAnswer {
  readonly decision: "allow" | "deny";
  /** Also allow or deny later calls like this one; needs an option that offers it. */
  readonly always?: boolean | undefined;
  /** Id of the chosen option from the request; takes precedence over `always`. */
  readonly optionId?: string | undefined;
  /** With `allow`: the tool runs with this input instead. */
  readonly changedInput?: unknown;
  /** With `deny`: the reason given to the agent. */
  readonly message?: string | undefined;
  /** With `deny`: also end the turn. */
  readonly stop?: boolean | undefined;
  /** With `deny`: the turn is being cancelled. A call that fails because of this answer counts as cancelled, not denied. */
  readonly cancelled?: true | undefined;
}

/** The answer to a `question.requested`, by question id. Without answers the questions are skipped. */
export interface QuestionAnswer {
  readonly decision: "answer" | "skip";
  readonly answers?: Readonly<Record<string, string | readonly string[]>> | undefined;
  readonly message?: string | undefined;
  /** With `skip`: the turn is being cancelled. */
  readonly cancelled?: true | undefined;
}

/**
 * The answer to a `tool.held`. `defer` leaves the decision to the agent; `ask` asks a person even if the agent would
 * not. An agent whose judge is Reins gets only `allow` or `deny`: Reins has already asked the person where that was
 * needed.
 */
export interface HoldAnswer extends Omit<PermissionAnswer, "decision"> {
  readonly decision: "allow" | "deny" | "ask" | "defer";
  /** The mode allows this call, so no person was asked. */
  readonly unasked?: true | undefined;
}

/** The answer to any request of an agent. */
export type Answer = PermissionAnswer | QuestionAnswer | HoldAnswer;
