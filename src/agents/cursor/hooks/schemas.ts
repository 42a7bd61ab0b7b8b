/**
 * The input of each hook, as far as Reins reads it, and its output. A field may be missing or have another type, and
 * there may be more fields; only the subject of a hook must have its type. docs/cursor.md documents the rest.
 */
import { z } from "zod";
import type { HookEvent } from "./events.ts";

const subject = z.string().optional();
const text = subject.catch(undefined);
const number = z.number().optional().catch(undefined);
/** A JSON value, or its text. */
const json = z.unknown().optional();
const tool = { tool_name: subject, tool_input: json, tool_use_id: subject, cwd: text };

const about = <Fields extends z.ZodRawShape>(fields: Fields) => z.looseObject({ generation_id: text, ...fields });
const anything = about({});

export const hookInputs = {
  sessionStart: anything,
  sessionEnd: anything,
  preToolUse: about(tool),
  postToolUse: about({ ...tool, tool_output: json, duration: number }),
  postToolUseFailure: about({
    ...tool,
    error_message: text,
    failure_type: text,
    is_interrupt: z.boolean().optional().catch(undefined),
  }),
  subagentStart: about({ subagent_type: text, task: subject, tool_call_id: subject }),
  subagentStop: about({
    tool_call_id: text,
    status: text,
    task: text,
    description: text,
    summary: text,
    duration_ms: number,
  }),
  beforeShellExecution: about({ command: subject, cwd: text }),
  afterShellExecution: about({ command: subject, output: text, duration: number }),
  beforeMCPExecution: about({ tool_name: subject, tool_input: json }),
  afterMCPExecution: about({ tool_name: subject, tool_input: json, result_json: json, duration: number }),
  beforeReadFile: about({ file_path: subject, content: text }),
  afterFileEdit: about({
    file_path: subject,
    edits: z
      .array(z.looseObject({ old_string: text, new_string: text }))
      .optional()
      .catch(undefined),
  }),
  beforeSubmitPrompt: anything,
  preCompact: about({ trigger: text, context_tokens: number }),
  stop: anything,
  afterAgentResponse: about({ text: subject }),
  afterAgentThought: about({ text: subject }),
  beforeTabFileRead: anything,
  afterTabFileEdit: anything,
  workspaceOpen: anything,
} satisfies Record<HookEvent, z.ZodType>;

export type HookInput<Event extends HookEvent> = z.infer<(typeof hookInputs)[Event]>;

interface ForUser {
  permission?: "allow" | "deny" | undefined;
  user_message?: string | undefined;
}

interface ForAgent extends ForUser {
  agent_message?: string | undefined;
}

/** The answers that Reins gives. A test checks them against what Cursor documents for each hook. */
interface HookOutputs {
  sessionStart: { env?: Record<string, string> | undefined; additional_context?: string | undefined };
  preToolUse: ForAgent & { updated_input?: Record<string, unknown> | undefined };
  subagentStart: ForUser;
  beforeShellExecution: ForAgent;
  beforeMCPExecution: ForAgent;
  beforeReadFile: ForUser;
  beforeSubmitPrompt: { continue?: boolean | undefined; user_message?: string | undefined };
}

export type HookOutput<Event extends HookEvent> = Event extends keyof HookOutputs
  ? HookOutputs[Event]
  : Record<string, never>;
