/** Management of an agent: sign-in, models, MCP servers, past conversations. */
import type { AgentEvent, AttachmentRef } from "../../events/types.ts";
import type { HooksManagement } from "./hooks.ts";
import type { CloudManagement, ReceiveWebhook } from "./remote.ts";
import type { ModelInfo } from "../contract.ts";

/** All optional; where an agent has none, `instead` says what to do, in one sentence. `probe` tells whether it is signed in. */
export interface AgentManagement {
  /** The command a person runs to sign in, in their own terminal. */
  readonly login?: () => Promise<ManagementCommand>;
  readonly logout?: () => Promise<ManagementCommand>;
  readonly update?: () => Promise<ManagementCommand>;
  /** The command that starts its own interface in a terminal; Reins never answers what it asks there. */
  readonly interface?: () => Promise<ManagementCommand>;
  /** A few facts, such as where its settings are. No secrets. */
  readonly about?: () => Promise<readonly AboutFact[]>;
  /** As the agent lists them now; no model is asked. */
  readonly models?: () => Promise<readonly ModelInfo[]>;
  readonly mcp?: McpManagement;
  /** Creates an empty conversation in a folder and returns its state. */
  readonly createConversation?: (at?: Place) => Promise<string>;
  /** Whether its key works, by the cheapest request there is. No model is asked. */
  readonly verify?: () => Promise<Verification>;
  /** Conversations that the agent keeps on this machine. */
  readonly history?: AgentHistory;
  readonly hooks?: HooksManagement;
  /** For a remote agent: what runs there. */
  readonly cloud?: CloudManagement;
  /** For a remote agent: receives calls of its service, for a server to mount. */
  readonly receiveWebhook?: ReceiveWebhook;
  readonly instead?: Readonly<Partial<Record<ManagementAction, string>>>;
}

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

/** The agent's own files are only read: nothing is written there, and no link that leads out of them is followed. */
export interface AgentHistory {
  /** Conversations with a prompt, newest first. A file that cannot be read is left out. */
  list(options?: { readonly cwd?: string | undefined }): AsyncIterable<PastSession>;
  /** A conversation from its beginning, in batches. Parts that cannot be read are counted in a `notice` at the end. */
  read(session: PastSession): AsyncIterable<readonly PastEvent[]>;
}

/** A conversation that an agent keeps. */
export interface PastSession {
  /** The agent's own id. */
  readonly id: string;
  /** Resumes it (`OpenOptions.state`). */
  readonly state: string;
  readonly cwd: string;
  readonly title?: string | undefined;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Number of prompts and answers. */
  readonly messages: number;
  readonly model?: string | undefined;
  /** The version of the agent's program. */
  readonly agentVersion?: string | undefined;
  /** The file or key; only the agent reads it. */
  readonly place: string;
}

/** A prompt, which begins a turn, or an event of the agent; a turn ends with `turn.ended`. */
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

/** The folder that a management call is about, for agents that keep settings by folder. */
export interface Place {
  readonly cwd?: string | undefined;
}

/** The MCP servers in the agent's own settings. */
export interface McpManagement {
  readonly list?: (at?: Place) => Promise<readonly McpServerInfo[]>;
  readonly tools?: (name: string, at?: Place) => Promise<readonly McpToolInfo[]>;
  /** Changes the agent's own settings through the agent's own means. */
  readonly enable?: (name: string, at?: Place) => Promise<void>;
  readonly disable?: (name: string, at?: Place) => Promise<void>;
  /** The command a person runs to sign in to one, in their own terminal. */
  readonly login?: (name: string) => Promise<ManagementCommand>;
}

export interface McpToolInfo {
  readonly name: string;
  readonly parameters?: readonly string[] | undefined;
}

export interface McpServerInfo {
  readonly name: string;
  /** Its command line or address, without secrets. */
  readonly target?: string | undefined;
  readonly transport?: "stdio" | "http" | "sse" | undefined;
  readonly status: "connected" | "failed" | "needs_login" | "disabled" | "unknown";
  /** The agent's own words. */
  readonly detail?: string | undefined;
}

export interface Verification {
  readonly outcome: "works" | "refused" | "unreachable" | "no_key";
  readonly message: string;
}

export interface ManagementCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** Variables it needs beside the user's own. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** The command opens a browser: what to do on a machine without one. */
  readonly withoutBrowser?: string | undefined;
}
