/** The contract of an agent: everything the core knows about one. */
import type { RecordedWire } from "../drivers/shared/recorded.ts";
import type { Capabilities } from "../events/capabilities.ts";
import type { Deadlines } from "../events/deadlines.ts";
import type { Limits } from "../events/limits.ts";
import type { Mode } from "../events/modes.ts";
import type { Redactor } from "../events/redact.ts";
import type { Tool } from "../events/tools.ts";
import type { AgentEvent, AttachmentRef } from "../events/types.ts";
import type { Processes } from "../process/types.ts";
import type { HooksManagement } from "./shared/hooks.ts";
import type { CloudManagement, RemoteOptions, WebhookManagement } from "./shared/cloud.ts";

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
  readonly load: () => Promise<AgentModule>;
}

export interface AgentModule {
  /** `id` says which one of a family. */
  readonly createAgent: (context: AgentContext, id?: string) => Agent;
  /** Its wires, so that streams recorded anywhere can be translated; none where it has no process. */
  readonly recorded?: () => Promise<{ readonly wires: readonly RecordedWire[] }>;
}

/** What the core hands to an agent. */
export interface AgentContext {
  readonly processes: Processes;
  /** The environment of the Reins process; an agent takes from it only what it declares. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly deadlines: Deadlines;
  readonly limits: Limits;
  readonly redact: Redactor;
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
}

/** The answer to questions, by question id; without answers they are skipped. */
export interface QuestionAnswer {
  readonly decision: "answer" | "skip";
  readonly answers?: Readonly<Record<string, string | readonly string[]>> | undefined;
  readonly message?: string | undefined;
}

/** The policy's word on a `tool.held`. `defer`: as the agent itself would do; `ask`: ask a person, whatever it would do. */
export interface HoldAnswer {
  readonly decision: "allow" | "deny" | "ask" | "defer";
  readonly message?: string | undefined;
}

export type Answer = PermissionAnswer | QuestionAnswer | HoldAnswer;

/** Each optional; where an agent has none, `instead` says what to do, in one sentence. Whether it is signed in is what `probe` tells. */
export interface AgentManagement {
  /** The command a person runs to sign in, in their own terminal. */
  readonly login?: () => Promise<ManagementCommand>;
  readonly logout?: () => Promise<ManagementCommand>;
  /** The command that brings its newest version. */
  readonly update?: () => Promise<ManagementCommand>;
  /** What else a person may want to know, such as where its settings lie: a few facts, no secrets. */
  readonly about?: () => Promise<readonly AboutFact[]>;
  /** As the agent itself lists them now; no model is asked. */
  readonly models?: () => Promise<readonly ModelInfo[]>;
  readonly mcp?: McpManagement;
  /** Makes an empty conversation in a folder, where the agent has a command for it, and gives its state: it is opened like any other. */
  readonly createConversation?: (at?: Place) => Promise<string>;
  /** Whether its key works, by the cheapest question there is. No model is asked. */
  readonly verify?: () => Promise<Verification>;
  /** What it keeps of its conversations on this machine, whoever held them. */
  readonly history?: AgentHistory;
  /** Hooks of ours in its files. */
  readonly hooks?: HooksManagement;
  /** Of an agent that works elsewhere: what runs there. */
  readonly cloud?: CloudManagement;
  /** ... and what its service calls back, for a server to mount. */
  readonly webhook?: WebhookManagement;
  readonly instead?: Readonly<Partial<Record<ManagementAction, string>>>;
}

export type ManagementAction =
  | "login"
  | "logout"
  | "update"
  | "about"
  | "models"
  | "verify"
  | "history"
  | "createConversation"
  | "hooks"
  | "mcp.list"
  | "mcp.tools"
  | "mcp.enable"
  | "mcp.disable"
  | "mcp.login";

/** The agent's own files are only read: nothing is written there, and no link that leads out of them is followed. */
export interface AgentHistory {
  /** Those in which something was asked, newest first. What cannot be read is left out. */
  list(options?: { readonly cwd?: string | undefined }): AsyncIterable<PastSession>;
  /** One of the list from its beginning, in batches. What could not be read of it is counted in a `notice` at the end. */
  read(session: PastSession): AsyncIterable<readonly PastEvent[]>;
}

/** A conversation that an agent keeps. */
export interface PastSession {
  /** The agent's own. */
  readonly id: string;
  /** To go on from. */
  readonly state: string;
  /** Where it was held. */
  readonly cwd: string;
  /** Where the agent has one of its own. */
  readonly title?: string | undefined;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly updatedAt: string;
  /** What people and the agent said. */
  readonly messages: number;
  readonly model?: string | undefined;
  /** The version of the agent's program. */
  readonly agentVersion?: string | undefined;
  /** For the agent alone: where it is kept. */
  readonly place: string;
}

/** One thing of a past conversation: a prompt, which begins a turn, or something the agent said, which ends with `turn.ended`. */
export type PastEvent = { /** ISO 8601, where it is known. */ readonly time?: string | undefined } & (
  | { readonly prompt: PastPrompt }
  | { readonly event: Exclude<AgentEvent, { type: "tool.held" }> }
);

export interface PastPrompt {
  readonly text: string;
  readonly attachments?: readonly AttachmentRef[] | undefined;
}

export interface AboutFact {
  readonly label: string;
  readonly value: string;
}

/** A folder that something is about, where an agent keeps it by folder; without one it is nobody's. */
export interface Place {
  readonly cwd?: string | undefined;
}

/** The MCP servers in the agent's own settings. */
export interface McpManagement {
  readonly list?: (at?: Place) => Promise<readonly McpServerInfo[]>;
  /** The tools of one, where the agent lists them. */
  readonly tools?: (name: string, at?: Place) => Promise<readonly McpToolInfo[]>;
  /** Changes the agent's own settings through the agent's own means. */
  readonly enable?: (name: string, at?: Place) => Promise<void>;
  readonly disable?: (name: string, at?: Place) => Promise<void>;
  /** The command a person runs to sign in to one, in their own terminal. */
  readonly login?: (name: string) => Promise<ManagementCommand>;
}

export interface McpToolInfo {
  readonly name: string;
  /** The names of what it takes, where they are told. */
  readonly parameters?: readonly string[] | undefined;
}

export interface McpServerInfo {
  readonly name: string;
  /** Its command line or address, without secrets. */
  readonly target?: string | undefined;
  readonly transport?: "stdio" | "http" | "sse" | undefined;
  readonly status: "connected" | "failed" | "needs_login" | "disabled" | "unknown";
  /** What the agent said about it, in its own words. */
  readonly detail?: string | undefined;
}

export interface Verification {
  readonly outcome: "works" | "refused" | "unreachable" | "no_key";
  /** One sentence. */
  readonly message: string;
}

export interface ManagementCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** Variables it needs beside the person's own. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** It opens a browser: what to do on a machine without one. */
  readonly withoutBrowser?: string | undefined;
}

/** How to point this agent at a scripted model, for tests and `doctor --prove`. */
export interface Proof {
  /** The npm package and version the tests are pinned to; none where the agent is a part of Reins. */
  readonly install?: { readonly package: string; readonly version: string; readonly bin: string };
  /** Of such a part: the version that the tests run with, where its probe tells one. */
  readonly version?: string;
  /** Over which wire it asks its model. */
  readonly speaks: "anthropic" | "openai-responses" | "openai-chat" | "gemini";
  /** The variables that lead the agent to the scripted model and keep it quiet; all made up. */
  env(modelUrl: string): Record<string, string>;
  /** Files of its home that lead it there, by path from HOME, for agents that read no variable; all made up. */
  files?(modelUrl: string): Record<string, string>;
  /**
   * Where its program keeps a conversation, by path from HOME, for agents that look for it before they go on with one: a replay, which
   * has no program, puts an empty object there.
   */
  keeps?(conversation: string): string;
  /** Instead of `env`, an account with a plan, for agents that tell about limits only then. */
  planEnv?(modelUrl: string): Record<string, string>;
  /** Two models to change between, where its own list cannot be asked for offline. */
  readonly models?: readonly [string, string];
  /** A prompt that makes it compact its context. */
  readonly compactPrompt?: string;
  /** A canonical tool call as this agent's model would make it. */
  toolCall(call: ProofToolCall): SpelledToolCall | undefined;
  /**
   * Words that give away requests it makes for itself, such as one for a memory: in the instructions, or in what the model
   * was told last. A scenario is not for those.
   */
  readonly asides?: readonly string[];
  /** What a plan's allowance looks like in a model's headers, where this agent reads others than the wire's usual ones. */
  limitHeaders?(limit: ProofLimit): Record<string, string>;
}

/** A tool call on the wire. */
export interface SpelledToolCall {
  readonly name: string;
  /** Text where the tool is freeform and the wire has such tools. */
  readonly input: unknown;
  /** Where the wire keeps tools in namespaces and this one stands in one. */
  readonly namespace?: string;
  /** No call at all: the model says this, and the agent finds what it means in the text. */
  readonly say?: string;
}

/** A plan's allowance, as a scenario says it. */
export interface ProofLimit {
  readonly status: "ok" | "warning" | "reached";
  readonly window: "five_hour" | "seven_day";
  readonly usedPercent: number;
  readonly resetsInSeconds: number;
}

/** A tool call of a scenario, by canonical tool, with absolute paths. */
export interface ProofToolCall {
  readonly tool: Tool;
  readonly path?: string;
  readonly text?: string;
  readonly from?: string;
  readonly to?: string;
  readonly command?: string;
  readonly prompt?: string;
  readonly background?: boolean;
  readonly question?: string;
  readonly choices?: readonly string[];
  readonly plan?: string;
  readonly server?: string;
  readonly name?: string;
  readonly input?: unknown;
}
