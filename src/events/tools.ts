/** The canonical tools and their kinds, as in ACP. Each agent's folder maps its own tool names to these. */
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

/** A canonical tool name, the same for every agent: `edit`, `shell`, `web_search`. */
export type Tool = keyof typeof toolKinds;
/** The category of a tool, as in ACP: `edit`, `execute`, `fetch`. */
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

/** The input fields that titles, policies and readers understand, independent of the agent. The event's `input` keeps the native input. */
export interface CanonicalInput {
  path?: string | undefined;
  /** The files of a patch that touches several. */
  paths?: readonly string[] | undefined;
  /** Destination of a move. */
  to?: string | undefined;
  command?: string | undefined;
  pattern?: string | undefined;
  query?: string | undefined;
  url?: string | undefined;
  /** Subject of a task, a question or an unknown tool, in the agent's words. */
  description?: string | undefined;
  server?: string | undefined;
  name?: string | undefined;
}
