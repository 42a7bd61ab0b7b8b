/** Messages that are known and mean nothing to a reader, by type or by type and subtype. Everything else unknown is told. */
const ignored: ReadonlySet<string> = new Set([
  // The session's own conversation with the program.
  "control_request",
  "control_response",
  "control_cancel_request",
  "keep_alive",
  // Where a message we queued stands: the turns themselves say it.
  "command_lifecycle",
  "system/session_state_changed",
  // How many seconds a tool runs; the core has a clock of its own.
  "tool_progress",
  "system/thinking_tokens",
  // For the agent's own screen.
  "prompt_suggestion",
  "tool_use_summary",
  "system/ui_invalidate",
  "system/post_turn_summary",
  "system/files_persisted",
  "system/elicitation_complete",
  // A hook that blocks a tool shows as that tool's denial.
  "system/hook_started",
  "system/hook_progress",
  "system/hook_response",
]);

export function isIgnored(type: string): boolean {
  return ignored.has(type);
}
