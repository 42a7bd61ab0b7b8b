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
  /** As this agent spells a unified model name, or a short name that it has itself; undefined where it has no spelling of its own. */
  readonly ownModel?: (model: string) => string | undefined;
  /** Shown and usable by name, but never chosen by itself. */
  readonly experimental?: boolean;
  /** Part of Reins: works with nothing installed and nobody signed in. The tour runs on it. */
  readonly builtIn?: boolean;
  /** It stands for many agents: their ids go on after its own and a colon. */
  readonly family?: boolean;
  /** Its configuration in a workspace, where that is not hidden: what such a file says may make programs run. */
  readonly protectedFiles?: readonly string[] | undefined;
  readonly load: () => Promise<AgentModule>;
}

export interface AgentModule {
  /** `id` says which one of a family. */
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
  /** Configuration files of all agents, as far as they are not hidden. */
  readonly protectedFiles?: readonly string[] | undefined;
  /** Instead of the global one, for agents that are asked over HTTP: a recorder or a replay. */
  readonly fetch?: typeof fetch | undefined;
}

export interface Agent {
  readonly id: string;
  readonly name: string;
  /** Declared here, proven by the contract suite. */
  readonly capabilities: Capabilities;
  /** What its prompts may say, where that is a language of its own; shown by `reins run -a <id> --help`. */
  readonly promptHelp?: string;
  /** Found where, version, signed in how, models, what to do. Never throws. */
  probe(): Promise<Readiness>;
  /** Fresh, resumed from a state, or with earlier messages as history. */
  open(options: OpenOptions): Promise<AgentSession>;
  /** What would be sent to the model now, without sending it; where the agent can tell. */
  context?(options: ContextOptions): Promise<ModelContext>;
  /** Once at start: repairs what a crash left in other people's files. */
  recover?(): Promise<void>;
  readonly manage: AgentManagement;
  /** Variables that may hold its keys, by name; whether they are set is shown, what they hold never. */
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
  /** It waits for `ready` itself, and starts meanwhile what it needs; without this it is prompted only then. */
  readonly startsAhead?: true | undefined;
  /** Into the running turn, where the agent can. Throws when it was not taken in: then the caller's prompt is refused. */
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
  /** It can take a prompt now, as far as can be known without asking a model. */
  readonly ready: boolean;
  readonly installed: boolean;
  /** Where the program was found. */
  readonly path?: string | undefined;
  /** Further programs of that name on the PATH, which are not used. */
  readonly others?: readonly string[] | undefined;
  readonly version?: string | undefined;
  readonly signedIn: "yes" | "no" | "unknown";
  /** "API key (ANTHROPIC_API_KEY)", "subscription", ... Names of variables, never their values. */
  readonly signedInHow?: string | undefined;
  readonly models?: readonly ModelInfo[] | undefined;
  /** What to do next, one sentence, when it is not ready. */
  readonly help?: string | undefined;
}

export interface ModelInfo {
  readonly id: string;
  readonly label?: string | undefined;
  readonly description?: string | undefined;
  readonly default?: boolean | undefined;
  /** It is the one in use where nobody names another. */
  readonly current?: boolean | undefined;
  /** Who serves it, where the agent tells: `anthropic`, `openai`. */
  readonly provider?: string | undefined;
  /** It can think, and how hard where that can be chosen. */
  readonly thinking?: boolean | readonly string[] | undefined;
  /** Tokens that fit. */
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
  /** Used when the first model is overloaded, where the agent can. */
  readonly fallbackModel?: string | undefined;
  /** From an earlier leg of the same agent. */
  readonly state?: string | undefined;
  /** Without `state`: what was said before, oldest first, where the agent takes a history. */
  readonly history?: readonly HistoryMessage[] | undefined;
  /** With `state`: go on in a copy and leave the original as it is. */
  readonly fork?: boolean | undefined;
  readonly systemPrompt?: { readonly text: string; readonly how: "append" | "replace" } | undefined;
  readonly tools?:
    | (ToolFilter & { /** Instead, for the first prompt. */ readonly first?: ToolFilter | undefined })
    | undefined;
  readonly mcpServers?: Readonly<Record<string, McpServer>> | undefined;
  /** Further folders it may work in, absolute. */
  readonly directories?: readonly string[] | undefined;
  readonly maxTurns?: number | undefined;
  readonly maxBudgetUsd?: number | undefined;
  /** Further arguments of its command line, as they are. */
  readonly extraArgs?: readonly string[] | undefined;
  /** Further variables of its environment. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Where it works and what comes of it, for an agent that works elsewhere. */
  readonly remote?: RemoteOptions | undefined;
  /** Keep the native message beside each event. */
  readonly raw?: boolean | undefined;
  /** Aborted when nobody wants the session any more while it is still being opened: then `open` ends the agent and throws. */
  readonly signal?: AbortSignal | undefined;
}

/** A conversation that could be opened, and what would be said in it next. */
export interface ContextOptions extends OpenOptions {
  readonly prompt?: PromptInput | undefined;
}

/** What a model is sent. */
export interface ModelContext {
  readonly model: string;
  readonly system: string;
  readonly tools: readonly { readonly name: string; readonly description: string; readonly inputSchema: unknown }[];
  /** Oldest first, in the agent's own shape. */
  readonly messages: readonly unknown[];
  /** As it goes over the wire, where there is anything to be sent; no keys. */
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
  /** What a person calls it, where the file has another name. */
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
  /** Allowed because the mode lets such calls pass: nobody allowed exactly this one. */
  readonly unasked?: true | undefined;
}

export type Answer = PermissionAnswer | QuestionAnswer | HoldAnswer;
