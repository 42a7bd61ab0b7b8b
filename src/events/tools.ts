/** The canonical tools with their kinds as in ACP. An agent's folder maps its own tool names to these. */
export const toolKinds = {
  read: "read",
  write: "edit",
  edit: "edit",
  delete: "delete",
  move: "move",
  list: "search",
  glob: "search",
  grep: "search",
  shell: "execute",
  web_search: "fetch",
  web_fetch: "fetch",
  plan: "think",
  task: "think",
  question: "other",
  notebook: "edit",
  mcp: "other",
  memory: "think",
  image: "other",
  mode: "switch_mode",
  other: "other",
} as const satisfies Record<string, ToolKind>;

export type Tool = keyof typeof toolKinds;
export type ToolKind = (typeof kinds)[number];

export const tools = Object.keys(toolKinds) as [Tool, ...Tool[]];
export const kinds = [
  "read",
  "edit",
  "delete",
  "move",
  "search",
  "execute",
  "think",
  "fetch",
  "switch_mode",
  "other",
] as const;

/** The fields that titles, policies and readers understand, whatever the agent calls them. The event's `input` keeps the native input. */
export interface CanonicalInput {
  path?: string | undefined;
  /** Several files of one patch. */
  paths?: readonly string[] | undefined;
  /** Where a move goes. */
  to?: string | undefined;
  command?: string | undefined;
  pattern?: string | undefined;
  query?: string | undefined;
  url?: string | undefined;
  /** Subject of a task, question or unknown tool, in the agent's words. */
  description?: string | undefined;
  server?: string | undefined;
  name?: string | undefined;
}
