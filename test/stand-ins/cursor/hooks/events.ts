/** The hook events. A file with any other name in it is ignored. */
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

/** Events whose hooks were observed to run in print mode; most others are unknown, and some are known not to run. */
export const measuredInPrint: readonly HookEvent[] = [
  "sessionStart",
  "sessionEnd",
  "preCompact",
  "preToolUse",
  "postToolUse",
  "postToolUseFailure",
];
