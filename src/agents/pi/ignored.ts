/** Messages that are known and mean nothing to a reader. Everything else unknown is told. */
const ignored: ReadonlySet<unknown> = new Set([
  // One request to the model and its tools; what is in it is told by itself.
  "turn_start",
  "turn_end",
  // The header of a conversation, in one-shot mode only.
  "session",
  // Entries of its own file.
  "entry_appended",
  // The output of a command that was none of the model's.
  "bash_execution_update",
  // How hard it thinks; it follows the model.
  "thinking_level_changed",
  // The end of a wait that was told.
  "summarization_retry_attempt_start",
  "summarization_retry_finished",
]);

/** What extensions show on pi's own screen. */
const shown: ReadonlySet<unknown> = new Set(["setStatus", "setWidget", "setTitle", "set_editor_text"]);

export function isIgnored(type: unknown, method: unknown): boolean {
  return ignored.has(type) || (type === "extension_ui_request" && shown.has(method));
}
