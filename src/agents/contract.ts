/** The contract of an agent: everything the core knows about one. */
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

/** One line of the list in `agents/index.ts`: enough to choose an agent without loading it. */
export interface AgentEntry {
  readonly id: string;
  readonly name: string;
  /** Whether a model name means this agent: `opus` means Claude Code. */
  readonly servesModel?: (model: string) => boolean;
  /** This agent's spelling of a unified model name or of a short name; undefined where it has none of its own. */
  readonly ownModel?: (model: string) => string | undefined;
  /** Shown and usable by name, but never chosen by itself. */
  readonly experimental?: boolean;
  /** Part of Reins: works with nothing installed and nobody signed in. The tour runs on it. */
  readonly builtIn?: boolean;
  /** A family of agents with ids such as "acp:<name>". Never selected automatically. */
  readonly family?: boolean;
  /** Its configuration files in a workspace that are not hidden: changing one may make programs run. */
  readonly protectedFiles?: readonly string[] | undefined;
  readonly load: () => Promise<AgentModule>;
}

export interface AgentModule {
  /** `id` is that of a member, where the entry is a family. */
  readonly createAgent: (context: AgentContext, id?: string) => Agent;
}

/** What the core hands to an agent. */
export interface AgentContext {
  readonly processes: Processes;
  /** The environment of the Reins process; an agent takes from it only what it declares. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly deadlines: Deadlines;
  readonly limits: Limits;
  readonly redact: Redactor;
  /** `AgentEntry.protectedFiles` of all agents. */
  readonly protectedFiles?: readonly string[] | undefined;
  /** Replaces the global `fetch`, for a recorder or a replay. */
  readonly fetch?: typeof fetch | undefined;
}

export interface Agent {
  readonly id: string;
  readonly name: string;
  /** Declared here, proven by the contract suite. */
  readonly capabilities: Capabilities;
  /** The grammar of its prompts, where they have one; shown by `reins run -a <id> --help`. */
  readonly promptHelp?: string;
  /** Finds the program, its version, its sign-in and its models. Never throws. */
  probe(): Promise<Readiness>;
  /** Fresh, resumed from a state, or with earlier messages as history. */
  open(options: OpenOptions): Promise<AgentSession>;
  /** The request that would be sent to the model now, without sending it. */
  context?(options: ContextOptions): Promise<ModelContext>;
  /** Called once at start: repairs files that a crash left changed. */
  recover?(): Promise<void>;
  readonly manage: AgentManagement;
  /** Names of variables that may hold its keys. Their values are never shown. */
  readonly keyVariables?: readonly string[];
  readonly proof?: Proof;
}

/** One conversation with one agent. */
export interface AgentSession {
  /**
   * ONE stream for the life of the leg, in batches; ends when the agent is gone. Not reading it pauses the agent. After
   * `process.exited` nothing counts but `turn.ended` and notices.
   */
  readonly events: AsyncIterable<readonly AgentEvent[]>;
  /** Resolves when it is taken; throws a ReinsError when it is refused. Nothing of it is done before `ready`. */
  prompt(input: PromptInput, ready?: Promise<unknown>): Promise<void>;
  /** The session waits for `ready` itself and prepares meanwhile; without this it is prompted only after `ready`. */
  readonly startsAhead?: true | undefined;
  /** Sends a prompt into the running turn. Throws when the agent did not take it. */
  steer?(input: PromptInput): Promise<void>;
  /** Answers a `permission.requested`, `question.requested` or `tool.held`. An unknown or settled id is ignored. */
  answer(requestId: string, answer: Answer): void;
  configure(change: { model?: string | undefined; mode?: Mode | undefined }): Promise<void>;
  /** Works with nobody reading, when idle, and at a pending permission. The end of the turn comes as `turn.ended`. */
  cancel(): Promise<void>;
  /** Opaque; only this agent reads it. */
  readonly state: string | undefined;
  /** Ends the agent and all it started; the events end too. */
  close(): Promise<void>;
}

export interface Readiness {
  /** The agent can take a prompt now, as far as is known without asking a model. */
  readonly ready: boolean;
  readonly installed: boolean;
  readonly path?: string | undefined;
  /** Further programs of that name on the PATH, which are not used. */
  readonly others?: readonly string[] | undefined;
  readonly version?: string | undefined;
  /** A newer version, where the program itself has heard of one. Nobody is asked. */
  readonly newerVersion?: string | undefined;
  readonly signedIn: "yes" | "no" | "unknown";
  /** "API key (ANTHROPIC_API_KEY)", "subscription", ... Names of variables, never their values. */
  readonly signedInHow?: string | undefined;
  /** Of the account, where the agent tells it apart from `signedInHow`. */
  readonly email?: string | undefined;
  readonly models?: readonly ModelInfo[] | undefined;
  /** What to do next, one sentence, when it is not ready. */
  readonly help?: string | undefined;
}

export interface ModelInfo {
  readonly id: string;
  readonly label?: string | undefined;
  readonly description?: string | undefined;
  readonly default?: boolean | undefined;
  /** The model in use where no other is named. */
  readonly current?: boolean | undefined;
  /** The service, such as `anthropic`. */
  readonly provider?: string | undefined;
  /** Whether it can think, or the efforts to choose from. */
  readonly thinking?: boolean | readonly string[] | undefined;
  /** In tokens. */
  readonly contextSize?: number | undefined;
}

/** One message of an earlier conversation. */
export interface HistoryMessage {
  readonly role: "person" | "agent";
  readonly text: string;
}

export interface ToolFilter {
  /** These run without asking, beside what the mode allows; in the agent's own spelling or a canonical tool name. */
  readonly allowed?: readonly string[] | undefined;
  /** These never run. */
  readonly disallowed?: readonly string[] | undefined;
}

export type McpServer =
  | { readonly command: string; readonly args?: readonly string[]; readonly env?: Readonly<Record<string, string>> }
  | { readonly type: "http" | "sse"; readonly url: string; readonly headers?: Readonly<Record<string, string>> };

export interface OpenOptions {
  readonly sessionId: string;
  /** An existing folder, absolute. */
  readonly cwd: string;
  readonly mode: Mode;
  readonly model?: string | undefined;
  /** Used when the first model is overloaded. */
  readonly fallbackModel?: string | undefined;
  /** From an earlier leg of the same agent. */
  readonly state?: string | undefined;
  /** Without `state`: earlier messages, oldest first. */
  readonly history?: readonly HistoryMessage[] | undefined;
  /** With `state`: continue in a copy. */
  readonly fork?: boolean | undefined;
  readonly systemPrompt?: { readonly text: string; readonly how: "append" | "replace" } | undefined;
  readonly tools?:
    | (ToolFilter & { /** Instead, for the first prompt. */ readonly first?: ToolFilter | undefined })
    | undefined;
  readonly mcpServers?: Readonly<Record<string, McpServer>> | undefined;
  /** Further absolute folders it may work in. */
  readonly directories?: readonly string[] | undefined;
  readonly maxTurns?: number | undefined;
  readonly maxBudgetUsd?: number | undefined;
  /** Further arguments of its command line, as they are. */
  readonly extraArgs?: readonly string[] | undefined;
  /** Further variables of its environment. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** For a remote agent. */
  readonly remote?: RemoteOptions | undefined;
  /** Keep the native message beside each event. */
  readonly raw?: boolean | undefined;
  /** Aborted when the session is no longer wanted while it is being opened: then `open` ends the agent and throws. */
  readonly signal?: AbortSignal | undefined;
}

/** A session that could be opened, and its next prompt. */
export interface ContextOptions extends OpenOptions {
  readonly prompt?: PromptInput | undefined;
}

/** The input of a model. */
export interface ModelContext {
  readonly model: string;
  readonly system: string;
  readonly tools: readonly { readonly name: string; readonly description: string; readonly inputSchema: unknown }[];
  /** Oldest first, in the agent's own shape. */
  readonly messages: readonly unknown[];
  /** The HTTP request, where there are messages to send; without keys. */
  readonly request?: { readonly url: string; readonly body: unknown } | undefined;
}

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
  /** The name that the user knows, where the file has another. */
  readonly name?: string | undefined;
}

export interface PromptInput {
  readonly text: string;
  readonly attachments?: readonly Attachment[] | undefined;
}

/** The answer to a permission. */
export interface PermissionAnswer {
  readonly decision: "allow" | "deny";
  /** Also for later calls like this one, where an option offers it. */
  readonly always?: boolean | undefined;
  /** One of the options offered; wins over `always`. */
  readonly optionId?: string | undefined;
  /** With `allow`: run it with this input instead. */
  readonly changedInput?: unknown;
  /** With `deny`: what the agent is told. */
  readonly message?: string | undefined;
  /** With `deny`: end the turn too. */
  readonly stop?: boolean | undefined;
  /** With `deny`: the turn is being stopped. A call that fails because of this answer was cancelled, not denied. */
  readonly cancelled?: true | undefined;
}

/** The answer to questions, by question id; without answers they are skipped. */
export interface QuestionAnswer {
  readonly decision: "answer" | "skip";
  readonly answers?: Readonly<Record<string, string | readonly string[]>> | undefined;
  readonly message?: string | undefined;
  /** With `skip`: the turn is being stopped. */
  readonly cancelled?: true | undefined;
}

/**
 * The answer to a `tool.held`. `defer`: as the agent itself would decide; `ask`: ask a person, whatever it would decide. An agent whose judge
 * is Reins gets neither: a person was asked already where that was needed, and the answer is theirs.
 */
export interface HoldAnswer extends Omit<PermissionAnswer, "decision"> {
  readonly decision: "allow" | "deny" | "ask" | "defer";
  /** The mode allows such calls; nobody was asked about this one. */
  readonly unasked?: true | undefined;
}

export type Answer = PermissionAnswer | QuestionAnswer | HoldAnswer;
