/** The public types of agents: their status and their management. `core/api.ts` exports them. */
import type {
  AboutFact,
  ManagementCommand,
  McpServerInfo,
  McpToolInfo,
  ModelInfo,
  Place,
  Readiness,
  Verification,
} from "../../agents/contract.ts";
import type { HooksManagement } from "../../agents/shared/hooks.ts";
import type { CloudManagement, ReceiveWebhook } from "../../agents/shared/remote.ts";
import type { Capabilities } from "../../events/capabilities.ts";
import type { ReinsEvent } from "../../events/types.ts";

/** An agent process that runs now. */
export interface RunningAgent {
  readonly agent: string;
  readonly pid: number;
  /** Process id of the Reins that started it. */
  readonly owner: number;
  /** Id of its session. */
  readonly session?: string | undefined;
  readonly title?: string | undefined;
  readonly cwd?: string | undefined;
}

/** An agent, what it can do, and whether it is ready. */
export interface AgentStatus extends Readiness {
  /** Id of the agent, such as `acp:my-agent`. Pass it as `agent`. */
  readonly id: string;
  /** Name for people. */
  readonly name: string;
  /** True for an agent that is never selected automatically, only by name. */
  readonly experimental: boolean;
  /** True for an agent that is part of Reins and needs no installation. */
  readonly builtIn?: boolean | undefined;
  /** True for an id prefix such as `acp`, which needs a command or a configured agent after it. Never selected automatically. */
  readonly family?: boolean | undefined;
  /** Help text on what prompts may contain. Set for an agent whose prompts are a language of their own. */
  readonly promptHelp?: string | undefined;
  readonly capabilities: Capabilities;
  /** Names of the environment variables with this agent's keys that are set. */
  readonly keysSet?: readonly string[] | undefined;
  /** Names of all environment variables that may hold this agent's keys. */
  readonly keyVariables?: readonly string[] | undefined;
  /** The version that Reins was tested with. */
  readonly testedVersion?: string | undefined;
}

/** Commands that the user runs in a terminal. `interface` opens the agent's own interface. */
type PersonsCommands = Record<"login" | "logout" | "update" | "interface", () => Promise<ManagementCommand>>;

/** Management of one agent. The same for every agent; actions that an agent does not offer throw `unsupported`. */
export interface Management extends PersonsCommands {
  /** Facts about the agent for people, such as the account and the subscription. */
  about(): Promise<readonly AboutFact[]>;
  /** Lists the models. `fresh` asks the agent instead of the cache. */
  models(options?: { readonly fresh?: boolean }): Promise<readonly ModelInfo[]>;
  /** Checks the sign-in or key, without a request to a model. */
  verify(): Promise<Verification>;
  /** MCP servers of the agent. Without `at`, those of the current folder, when the agent keeps them by folder. */
  readonly mcp: {
    list(at?: Place): Promise<readonly McpServerInfo[]>;
    tools(name: string, at?: Place): Promise<readonly McpToolInfo[]>;
    enable(name: string, at?: Place): Promise<void>;
    disable(name: string, at?: Place): Promise<void>;
    login(name: string): Promise<ManagementCommand>;
  };
  /** Hooks of Reins in the agent's own files. Sessions install them when needed. */
  readonly hooks: HooksManagement;
  /** Creates an empty conversation in the agent's own storage and returns its state, for `resume`. Default folder: the current one. */
  createConversation(at?: Place): Promise<string>;
  /** Set only for an agent that runs remotely. */
  readonly cloud: Cloud | undefined;
  /** Receives webhooks of the agent's service; a server mounts it. Set only for an agent that runs remotely. */
  readonly receiveWebhook: ReceiveWebhook | undefined;
}

/** Management of the tasks of a cloud agent. */
export interface Cloud extends CloudManagement {
  /** Returns the conversation so far as session events, as far as the service reports it. */
  conversation(id: string): Promise<readonly ReinsEvent[]>;
}
