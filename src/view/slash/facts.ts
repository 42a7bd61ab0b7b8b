/**
 * Data types of the slash commands, also printed by `reins status --json`, `reins models --json` and `reins mcp list --json`. The fields
 * are those of `Reins`; derived values are computed here.
 */

/** An agent, as `reins.agent()` returns it. */
export interface AgentFacts {
  readonly id: string;
  readonly name: string;
  readonly ready: boolean;
  readonly installed: boolean;
  readonly builtIn?: boolean | undefined;
  readonly version?: string | undefined;
  readonly newerVersion?: string | undefined;
  readonly signedIn: "yes" | "no" | "unknown";
  /** "API key (ANTHROPIC_API_KEY)", "account", ... */
  readonly signedInHow?: string | undefined;
  readonly email?: string | undefined;
  readonly help?: string | undefined;
}

export interface ModelFacts {
  readonly id: string;
  readonly label?: string | undefined;
  readonly default?: boolean | undefined;
  readonly current?: boolean | undefined;
}

/** An MCP server as the agent reports it. */
export interface McpServerFacts {
  readonly name: string;
  readonly status: "connected" | "failed" | "needs_login" | "disabled" | "unknown";
  /** The agent's own words. */
  readonly detail?: string | undefined;
}

/** `unknown`: the agent lists its servers without starting them. */
export type McpState = "loaded" | "not loaded" | "error" | "unknown";

export interface McpVerdict {
  readonly state: McpState;
  /** Why the server is not loaded, in a few words. */
  readonly reason?: string | undefined;
}

export interface PlatformFacts {
  /** "Linux 6.8.0 (x64)" */
  readonly os: string;
  /** "zsh" */
  readonly shell: string;
}

export interface SessionFacts {
  readonly id: string;
  readonly turns: number;
}

/** Everything that `/status` shows about an agent. */
export interface StatusFacts extends AgentFacts {
  /** The model in use, or the agent's default. */
  readonly model?: string | undefined;
  readonly defaultModel?: string | undefined;
  readonly mode?: string | undefined;
  /** The agent's own word for the mode, if it has one. */
  readonly modeName?: string | undefined;
  readonly session?: SessionFacts | undefined;
  readonly platform?: PlatformFacts | undefined;
  readonly mcp?: readonly (McpServerFacts & McpVerdict)[] | undefined;
  /** Why the MCP servers are unknown, in one sentence. */
  readonly mcpHelp?: string | undefined;
  /** Further facts that the agent reports about itself. */
  readonly about?: readonly { readonly label: string; readonly value: string }[] | undefined;
}

/** The state of a server (loaded, not loaded or error) and the reason. */
export function mcpVerdict({ status, detail = "" }: Pick<McpServerFacts, "status" | "detail">): McpVerdict {
  const reason = reasonIn(detail);
  if (status === "connected") return { state: "loaded" };
  if (status === "failed") return { state: "error", reason: reason ?? "it did not start" };
  if (status === "needs_login") return { state: "not loaded", reason: "needs login" };
  if (status === "disabled") return { state: "not loaded", reason: reason ?? "disabled" };
  return { state: "unknown", reason };
}

/** Extracts the reason from `not loaded (needs approval)`. Undefined when the detail only repeats the state. */
function reasonIn(detail: string): string | undefined {
  const inner = /^not loaded\b\s*(?:[(:-]+\s*(?<inner>.*?)\)?)?$/i.exec(detail.trim());
  const reason = inner === null ? detail.trim() : (inner.groups?.["inner"] ?? "");
  return reason === "" || /^(?:failed|error|unknown)$/i.test(reason) ? undefined : reason;
}

/** The e-mail address of the account: reported as such, else found in the sign-in text or in a fact. */
export function emailOf(
  { email, signedInHow = "" }: Pick<AgentFacts, "email" | "signedInHow">,
  about: StatusFacts["about"] = [],
): string | undefined {
  const account = about.find(({ label }) => /^(?:account|e-?mail|user)$/i.test(label))?.value ?? "";
  return email ?? address.exec(signedInHow)?.[0] ?? address.exec(account)?.[0];
}

const address = /[^\s@<>(),;:"']+@[^\s@<>(),;:"']+\.[^\s@<>(),;:"'.]+/;
