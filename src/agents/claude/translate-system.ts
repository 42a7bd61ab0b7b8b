/** The `system` messages: about the session, its tasks and the agent itself. */
import type { AgentEvent } from "../../events/types.ts";
import { errorOf } from "./errors.ts";
import type { Tasks } from "./tasks.ts";
import type { Calls } from "./translate-calls.ts";
import { number, record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import type { SessionFacts } from "./translate-session.ts";
import type { Streams } from "./translate-stream.ts";

export interface SystemParts {
  readonly session: SessionFacts;
  readonly streams: Streams;
  readonly tasks: Tasks;
  readonly calls: Calls;
}

/** Undefined for one that is not known. */
export function systemEvents(message: Wire, parts: SystemParts): AgentEvent[] | undefined {
  const { session, streams, tasks, calls } = parts;
  switch (message["subtype"]) {
    case "init":
      return session.introduced(message);
    case "status":
      return [...session.modeReported(message["permissionMode"]), ...phase(message)];
    case "task_started":
      return tasks.started(message, calls.find(text(message["tool_use_id"]) ?? "")?.parent);
    case "task_progress":
      return tasks.progressed(message);
    case "task_updated":
      return tasks.patched(message);
    case "task_notification":
      return tasks.notified(message);
    case "background_tasks_changed":
      return tasks.listed(message);
    case "permission_denied":
      calls.denied(text(message["tool_use_id"]));
      return [];
    case "api_retry":
      return [...streams.retried(), { type: "turn.phase", phase: "retry" }, retrying(message)];
    case "compact_boundary":
      return [compacted(record(message["compact_metadata"]))];
    case "model_fallback":
      return session.modelChanged(
        text(message["fallback_model"]),
        text(message["content"]) ?? text(message["trigger"]),
      );
    case "session_title_changed":
      return [{ type: "session.updated", title: text(message["title"]) ?? "", by: "agent" }];
    case "informational":
    case "model_refusal_no_fallback":
      return informed(message);
    case "local_command_output":
      return streams.unstreamed(message["content"]);
    default:
      return undefined;
  }
}

function phase(message: Wire): AgentEvent[] {
  const failed = text(message["compact_error"]);
  if (failed !== undefined) return [{ type: "notice", level: "warning", code: "compact", message: failed }];
  if (message["status"] === "requesting") return [{ type: "turn.phase", phase: "model" }];
  return message["status"] === "compacting" ? [{ type: "turn.phase", phase: "compact" }] : [];
}

function retrying(message: Wire): AgentEvent {
  return {
    type: "agent.retrying",
    attempt: number(message["attempt"]) ?? 1,
    ofMax: number(message["max_retries"]),
    delayMs: number(message["retry_delay_ms"]),
    error: errorOf({ kind: text(message["error"]), status: number(message["error_status"]), said: "" }),
  };
}

function compacted(metadata: Wire): AgentEvent {
  return {
    type: "context.compacted",
    trigger: text(metadata["trigger"]) ?? "unknown",
    before: number(metadata["pre_tokens"]),
    after: number(metadata["post_tokens"]),
  };
}

function informed(message: Wire): AgentEvent[] {
  const said = text(message["content"]);
  if (said === undefined) return [];
  const level = message["level"] === "error" || message["level"] === "warning" ? message["level"] : "info";
  return [{ type: "notice", level, code: "informational", message: said }];
}
