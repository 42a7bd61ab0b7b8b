/** Management of an agent: sign-in, models, MCP servers, past conversations. */
import type { AgentEvent, AttachmentRef } from "../../events/types.ts";
import type { HooksManagement } from "./hooks.ts";
import type { CloudManagement, ReceiveWebhook } from "./remote.ts";
import type { ModelInfo } from "../contract.ts";

/**
 * Actions on an agent outside a session. All are optional: for a missing one, `instead` says in one sentence what to
 * do. Use `probe` to find out whether the agent is signed in.
 */
export interface AgentManagement {
  /** The command that the user runs in a terminal to sign in. */
  readonly login?: () => Promise<ManagementCommand>;
  readonly logout?: () => Promise<ManagementCommand>;
  readonly update?: () => Promise<ManagementCommand>;
  /** The command that starts the agent's own interface in a terminal. Reins never answers its questions there. */
  readonly interface?: () => Promise<ManagementCommand>;
  /** A few facts, such as where its settings are. No secrets. */
  readonly about?: () => Promise<readonly AboutFact[]>;
  /** The models that the agent lists now, without a request to a model. */
  readonly models?: () => Promise<readonly ModelInfo[]>;
  readonly mcp?: McpManagement;
  /** Creates an empty conversation in a folder and returns its state. */
  readonly createConversation?: (at?: Place) => Promise<string>;
  /** Checks the key with the cheapest request the service has, never a request to a model. */
  readonly verify?: () => Promise<Verification>;
  /** Conversations that the agent keeps on this machine. */
  readonly history?: AgentHistory;
  readonly hooks?: HooksManagement;
  /** For a remote agent: the agents that run in its service. */
  readonly cloud?: CloudManagement;
  /** For a remote agent: handles webhook calls of its service. A server mounts it. */
  readonly receiveWebhook?: ReceiveWebhook;
  readonly instead?: Readonly<Partial<Record<ManagementAction, string>>>;
}

/** Names of the management actions, as in `AgentManagement.instead`. */
export type ManagementAction =
  | "login"
  | "interface"
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

/** Past conversations in the agent's own files. Reins only reads these files and follows no link that leads out of them. */
export interface AgentHistory {
  /** Conversations with at least one prompt, newest first. Leaves out files that cannot be read. */
  list(options?: { readonly cwd?: string | undefined }): AsyncIterable<PastSession>;
  /** A conversation from its beginning, in batches. A `notice` at the end counts the parts that could not be read. */
  read(session: PastSession): AsyncIterable<readonly PastEvent[]>;
}

/** A conversation that an agent keeps on this machine. */
export interface PastSession {
  /** The agent's own id of the conversation. */
  readonly id: string;
  /** Resumes the conversation, as `OpenOptions.state`. */
  readonly state: string;
  readonly cwd: string;
  readonly title?: string | undefined;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Number of prompts and answers. */
  readonly messages: number;
  readonly model?: string | undefined;
  /** Version of the agent's program. */
  readonly agentVersion?: string | undefined;
  /** The file or key of the conversation; only the agent reads it. */
  readonly place: string;
}

/** A prompt, which begins a turn, or an event of the agent. A turn ends with `turn.ended`. */
export type PastEvent = { /** ISO 8601, when it is known. */ readonly time?: string | undefined } & (
  | { readonly prompt: PastPrompt }
  | { readonly event: Exclude<AgentEvent, { type: "tool.held" }> }
);

/** A prompt in a past conversation. */
export interface PastPrompt {
  readonly text: string;
  readonly attachments?: readonly AttachmentRef[] | undefined;
}

/** A labelled fact about an agent. */
export interface AboutFact {
  readonly label: string;
  readonly value: string;
}

/** The folder of a management call, for agents with settings per folder. */
export interface Place {
  readonly cwd?: string | undefined;
}

/** The MCP servers in the agent's own settings. */
export interface McpManagement {
  readonly list?: (at?: Place) => Promise<readonly McpServerInfo[]>;
  readonly tools?: (name: string, at?: Place) => Promise<readonly McpToolInfo[]>;
  /** Changes the agent's own settings through the agent's own command or file. */
  readonly enable?: (name: string, at?: Place) => Promise<void>;
  readonly disable?: (name: string, at?: Place) => Promise<void>;
  /** The command that the user runs in a terminal to sign in to a server. */
  readonly login?: (name: string) => Promise<ManagementCommand>;
}

/** A tool of an MCP server, with the names of its parameters when the agent reports them. */
export interface McpToolInfo {
  readonly name: string;
  readonly parameters?: readonly string[] | undefined;
}

/** An MCP server in the agent's own settings. */
export interface McpServerInfo {
  readonly name: string;
  /** Its command line or address, without secrets. */
  readonly target?: string | undefined;
  readonly transport?: "stdio" | "http" | "sse" | undefined;
  readonly status: "connected" | "failed" | "needs_login" | "disabled" | "unknown";
  /** The agent's own words about the server. */
  readonly detail?: string | undefined;
}

/** Result of checking a key. */
export interface Verification {
  readonly outcome: "works" | "refused" | "unreachable" | "no_key";
  readonly message: string;
}

/** A command for the user to run in a terminal. */
export interface ManagementCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** Environment variables the command needs in addition to the user's own. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** The command opens a browser: what to do on a machine without one. */
  readonly withoutBrowser?: string | undefined;
}
