/**
 * What each hook is told and may answer. Every field may be missing or of another type, and more may come. Only what it is
 * about must be what it should be.
 */
import { z } from "zod";
import type { HookEvent } from "./events.ts";

const subject = z.string().optional();
const text = subject.catch(undefined);
const number = z.number().optional().catch(undefined);
const flag = z.boolean().optional().catch(undefined);
/** A JSON value, or its text. */
const json = z.unknown().optional();

const conversation = {
  conversation_id: text,
  generation_id: text,
  session_id: text,
  model: text,
  model_id: text,
  model_params: z
    .array(z.looseObject({ id: text, value: text }))
    .optional()
    .catch(undefined),
  transcript_path: text,
};
const everywhere = {
  hook_event_name: text,
  cursor_version: text,
  workspace_roots: z.array(z.string()).optional().catch(undefined),
  user_email: text,
};
const tokens = { input_tokens: number, output_tokens: number, cache_read_tokens: number, cache_write_tokens: number };
const attachments = z
  .array(z.looseObject({ type: text, file_path: text }))
  .optional()
  .catch(undefined);
const edits = z
  .array(z.looseObject({ old_string: text, new_string: text }))
  .optional()
  .catch(undefined);
const tool = { tool_name: subject, tool_input: json, tool_use_id: subject, cwd: text };

const about = <Fields extends z.ZodRawShape>(fields: Fields) =>
  z.looseObject({ ...conversation, ...everywhere, ...fields });

export const hookInputs = {
  sessionStart: about({ is_background_agent: flag, composer_mode: text }),
  sessionEnd: about({
    reason: text,
    duration_ms: number,
    is_background_agent: flag,
    final_status: text,
    error_message: text,
  }),
  preToolUse: about({ ...tool, agent_message: text }),
  postToolUse: about({ ...tool, tool_output: json, duration: number }),
  postToolUseFailure: about({
    ...tool,
    error_message: text,
    failure_type: text,
    duration: number,
    is_interrupt: flag,
  }),
  subagentStart: about({
    subagent_id: text,
    subagent_type: text,
    task: subject,
    parent_conversation_id: text,
    tool_call_id: subject,
    subagent_model: text,
    is_parallel_worker: flag,
    git_branch: text,
  }),
  subagentStop: about({
    subagent_id: text,
    subagent_type: text,
    tool_call_id: text,
    status: text,
    task: text,
    description: text,
    summary: text,
    duration_ms: number,
    message_count: number,
    tool_call_count: number,
    loop_count: number,
    modified_files: z.array(z.string()).optional().catch(undefined),
    agent_transcript_path: text,
  }),
  beforeShellExecution: about({ command: subject, cwd: text, sandbox: flag }),
  afterShellExecution: about({ command: subject, output: text, duration: number, sandbox: flag }),
  beforeMCPExecution: about({ tool_name: subject, tool_input: json, url: text, command: text }),
  afterMCPExecution: about({ tool_name: subject, tool_input: json, result_json: json, duration: number }),
  beforeReadFile: about({ file_path: subject, content: text, attachments }),
  afterFileEdit: about({ file_path: subject, edits }),
  beforeSubmitPrompt: about({ prompt: text, attachments }),
  preCompact: about({
    trigger: text,
    context_usage_percent: number,
    context_tokens: number,
    context_window_size: number,
    message_count: number,
    messages_to_compact: number,
    is_first_compaction: flag,
  }),
  stop: about({ status: text, loop_count: number, ...tokens }),
  afterAgentResponse: about({ text: subject, ...tokens }),
  afterAgentThought: about({ text: subject, duration_ms: number }),
  beforeTabFileRead: about({ file_path: text, content: text }),
  afterTabFileEdit: about({ file_path: text, edits }),
  workspaceOpen: z.looseObject(everywhere),
} satisfies Record<HookEvent, z.ZodType>;

const messages = { user_message: subject, agent_message: subject };
const allowOrDeny = z.enum(["allow", "deny"]).optional();
const permission = z.strictObject({ permission: z.enum(["allow", "deny", "ask"]).optional(), ...messages });
const nothing = z.strictObject({});
const followUp = z.strictObject({ followup_message: subject });

export const hookOutputs = {
  sessionStart: z.strictObject({ env: z.record(z.string(), z.string()).optional(), additional_context: subject }),
  sessionEnd: nothing,
  preToolUse: z.strictObject({
    permission: allowOrDeny,
    ...messages,
    updated_input: z.record(z.string(), z.unknown()).optional(),
  }),
  postToolUse: z.strictObject({ updated_mcp_tool_output: json, additional_context: subject }),
  postToolUseFailure: nothing,
  subagentStart: z.strictObject({ permission: allowOrDeny, user_message: subject }),
  subagentStop: followUp,
  beforeShellExecution: permission,
  afterShellExecution: nothing,
  beforeMCPExecution: permission,
  afterMCPExecution: nothing,
  beforeReadFile: z.strictObject({ permission: allowOrDeny, user_message: subject }),
  afterFileEdit: nothing,
  beforeSubmitPrompt: z.strictObject({ continue: z.boolean().optional(), user_message: subject }),
  preCompact: z.strictObject({ user_message: subject }),
  stop: followUp,
  afterAgentResponse: nothing,
  afterAgentThought: nothing,
  beforeTabFileRead: z.strictObject({ permission: allowOrDeny }),
  afterTabFileEdit: nothing,
  workspaceOpen: z.strictObject({ pluginPaths: z.array(z.string()).optional() }),
} satisfies Record<HookEvent, z.ZodType>;

export type HookInput<Event extends HookEvent> = z.infer<(typeof hookInputs)[Event]>;
export type HookOutput<Event extends HookEvent> = z.infer<(typeof hookOutputs)[Event]>;
