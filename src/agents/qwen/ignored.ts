/** Messages that are known and mean nothing to a reader, by type or by type and subtype. Everything else unknown is told. */
const ignored: ReadonlySet<string> = new Set([
  // The session's own conversation with the program.
  "control_request",
  "control_response",
  "control_cancel_request",
  // A goal of the program's own, told even where there is none.
  "stream_event/goal_state",
  // How long a command runs; the core has a clock of its own.
  "stream_event/tool_progress",
  // An answer is confirmed by what comes after it.
  "stream_event/content_block_start",
  "stream_event/content_block_stop",
  "stream_event/message_stop",
]);

export function isIgnored(type: string): boolean {
  return ignored.has(type);
}
