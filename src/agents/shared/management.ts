/** What `manage` offers for an agent: sign-in, models, MCP servers, past conversations. */
import type { AgentEvent, AttachmentRef } from "../../events/types.ts";
import type { HooksManagement } from "./hooks.ts";
import type { CloudManagement, ReceiveWebhook } from "./remote.ts";
import type { ModelInfo } from "../contract.ts";

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
  readonly receiveWebhook?: ReceiveWebhook;
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
