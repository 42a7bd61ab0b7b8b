/** The events that hooks can be written for. A file with any other name in it is void. */
export const hookEvents = [
  "sessionStart",
  "sessionEnd",
  "preToolUse",
  "postToolUse",
  "postToolUseFailure",
  "subagentStart",
  "subagentStop",
  "beforeShellExecution",
  "afterShellExecution",
  "beforeMCPExecution",
  "afterMCPExecution",
  "beforeReadFile",
  "afterFileEdit",
  "beforeSubmitPrompt",
  "preCompact",
  "stop",
  "afterAgentResponse",
  "afterAgentThought",
  "beforeTabFileRead",
  "afterTabFileEdit",
  "workspaceOpen",
] as const;

export type HookEvent = (typeof hookEvents)[number];

/** Those of which somebody saw that they run in print mode; of most others nobody knows, and of some it is known that they do not. */
export const measuredInPrint: readonly HookEvent[] = [
  "sessionStart",
  "sessionEnd",
  "preCompact",
  "preToolUse",
  "postToolUse",
  "postToolUseFailure",
];
