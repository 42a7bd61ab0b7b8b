/** Events of the JSON output that are known and mean nothing to us. Some come by the dozen. */
const names: ReadonlySet<string> = new Set([
  "abort",
  "agent.interrupted",
  "assistant.idle",
  "assistant.intent",
  "assistant.message_start",
  "assistant.reasoning",
  "assistant.streaming_delta",
  "assistant.tool_call_delta",
  "assistant.turn_end",
  "assistant.turn_start",
  "assistant.usage",
  "session.background_tasks_changed",
  "session.compaction_start",
  "session.context_changed",
  "session.custom_agents_updated",
  "session.extensions_loaded",
  "session.idle",
  "session.mcp_server_status_changed",
  "session.mcp_server_tools_loaded",
  "session.mcp_servers_loaded",
  "session.mode_changed",
  "session.mode_notice_delivered",
  "session.model_change",
  "session.permissions_changed",
  "session.plan_changed",
  "session.quota_observation",
  "session.resume",
  "session.shutdown",
  "session.skills_loaded",
  "session.start",
  "session.task_complete",
  "session.title_changed",
  "session.todos_changed",
  "session.tools_updated",
  "session.usage_checkpoint",
  "session.usage_info",
  "session.usage_record",
  "session.workspace_file_changed",
  // The end of the call has all of it, and these repeat it.
  "tool.execution_partial_result",
  "tool.execution_progress",
  "user.message",
]);
/** Its own inner life: what matters of it is told elsewhere. */
const families = /^(?:hook|mcp|model|permission|sandbox|skill|subagent|system|tool_search|workflow)\./;

export function isIgnored(type: string): boolean {
  return names.has(type) || families.test(type);
}
