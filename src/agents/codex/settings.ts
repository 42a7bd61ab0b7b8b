/** What a thread and each of its turns are told: the mode as Codex's own sandbox and approval policy, and the session's options. */
import type { Mode } from "../../events/modes.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import type { HistoryMessage, McpServer, OpenOptions } from "../contract.ts";

/** Who answers is always Reins: the person's own settings may name a reviewer instead. */
const approvalsReviewer = "user";

/**
 * Commands run in a sandbox in which nothing can be written and nothing be reached; what needs more asks, and so does every patch.
 * `untrusted` would ask about every `ls`; `never` would refuse even what a person or the mode allows.
 */
const looking = {
  sandbox: "read-only",
  sandboxPolicy: { type: "readOnly", networkAccess: false },
  approvalPolicy: "on-request",
} as const;

/** Everything asks and is allowed by the mode, so that what it changes can be found, and a narrower mode holds at once. */
const unbound = {
  sandbox: "danger-full-access",
  sandboxPolicy: { type: "dangerFullAccess" },
  approvalPolicy: "untrusted",
} as const;

const byMode = {
  read: looking,
  plan: looking,
  ask: looking,
  edits: looking,
  full: unbound,
} as const satisfies Record<Mode, typeof looking | typeof unbound>;

export function nativeMode(mode: Mode): string {
  const { sandbox, approvalPolicy } = byMode[mode];
  return [...(mode === "plan" ? ["plan"] : []), sandbox, approvalPolicy].join(", ");
}

/** With these as its arguments it would not ask Reins, or be spoken to by others. */
const unheldArguments = [
  "--dangerously-",
  "--yolo",
  "--full-auto",
  "--ask-for-approval",
  "-a",
  "--sandbox",
  "-s",
  "--listen",
];

export function unheldArgument(args: readonly string[]): string | undefined {
  return args.find((argument) =>
    unheldArguments.some((flag) =>
      flag.endsWith("-") ? argument.startsWith(flag) : argument.split("=", 1)[0] === flag,
    ),
  );
}

/** Its question tool is for planning only, unless this is on; it would warn each time that the feature is a young one. */
const questionsInEveryMode = {
  "features.default_mode_request_user_input": true,
  suppress_unstable_features_warning: true,
};

/** For `thread/start`, `thread/resume` and `thread/fork`. */
export function threadSettings(options: OpenOptions): Wire {
  const { cwd, mode, model, systemPrompt, directories = [], mcpServers } = options;
  const { sandbox, approvalPolicy } = byMode[mode];
  return {
    cwd,
    sandbox,
    approvalPolicy,
    approvalsReviewer,
    ...(model !== undefined && { model }),
    ...(directories.length > 0 && { runtimeWorkspaceRoots: [cwd, ...directories] }),
    ...(systemPrompt?.how === "append" && { developerInstructions: systemPrompt.text }),
    ...(systemPrompt?.how === "replace" && { baseInstructions: systemPrompt.text }),
    config: { ...questionsInEveryMode, ...serversConfig(mcpServers ?? {}) },
  };
}

export interface TurnChoice {
  readonly mode: Mode;
  readonly model: string;
  readonly effort: string | undefined;
  /** The conversation planned before: it would go on planning. */
  readonly planned: boolean;
}

/** For `turn/start`: said each time, so that what a turn may do never depends on what was said before. */
export function turnSettings({ mode, model, effort, planned }: TurnChoice): Wire {
  const { sandboxPolicy, approvalPolicy } = byMode[mode];
  return {
    model,
    sandboxPolicy,
    approvalPolicy,
    approvalsReviewer,
    ...(mode === "plan" ? collaboration("plan", model, effort) : planned && plainMode(model, effort)),
  };
}

/** Not planning. */
export const plainMode = (model: string, effort: string | undefined): Wire => collaboration("default", model, effort);

const collaboration = (mode: "plan" | "default", model: string, effort: string | undefined): Wire => ({
  collaborationMode: { mode, settings: { model, reasoning_effort: effort ?? null, developer_instructions: null } },
});

/** It has no SSE transport. */
export function unservedServers({ mcpServers = {} }: OpenOptions): string[] {
  return Object.entries(mcpServers).flatMap(([name, server]) =>
    "type" in server && server.type === "sse" ? [name] : [],
  );
}

/** One key a server, so that the person's own stay. */
function serversConfig(servers: Readonly<Record<string, McpServer>>): Wire {
  const config: Record<string, unknown> = {};
  for (const [name, server] of Object.entries(servers)) {
    if (!("type" in server)) config[`mcp_servers.${name}`] = { args: [], env: {}, ...server };
    else if (server.type === "http")
      config[`mcp_servers.${name}`] = { url: server.url, http_headers: server.headers ?? {} };
  }
  return config;
}

/** For `thread/inject_items`: what was said before, as items of its model's wire. */
export function historyItems(history: readonly HistoryMessage[]): Wire[] {
  return history.map(({ role, text }) =>
    role === "person"
      ? { type: "message", role: "user", content: [{ type: "input_text", text }] }
      : { type: "message", role: "assistant", content: [{ type: "output_text", text }] },
  );
}
