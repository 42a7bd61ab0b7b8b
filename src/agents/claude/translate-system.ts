/** Translates `system` messages: about the session, its tasks and the agent itself. */
import type { Mode } from "../../events/modes.ts";
import type { AgentEvent, TaskStatus } from "../../events/types.ts";
import { list, number, record, text, type JsonObject } from "../../protocols/json.ts";
import { IntroducedSession, told, type SessionFactsOptions, type SessionUpdate } from "../shared/stream-json-facts.ts";
import { failures, retryFacts } from "./failures.ts";
import { encodeState } from "./program.ts";
import type { Calls } from "./tools.ts";
import type { Streams } from "./translate-stream.ts";

export interface SystemParts {
  readonly session: SessionFacts;
  readonly streams: Streams;
  readonly tasks: Tasks;
  readonly calls: Calls;
  readonly now: () => number;
}

export function systemEvents(message: JsonObject, parts: SystemParts): AgentEvent[] | undefined {
  return handlers.get(message["subtype"])?.(message, parts);
}

type Handler = (message: JsonObject, parts: SystemParts) => AgentEvent[];

const handlers: ReadonlyMap<unknown, Handler> = new Map<string, Handler>([
  ["init", (message, { session }) => session.introduced(message)],
  ["status", (message, { session }) => [...session.modeReported(message["permissionMode"]), ...phase(message)]],
  ["task_started", (message, { tasks, calls }) => tasks.started(message, calls.find(callOf(message))?.parent)],
  ["task_progress", (message, { tasks }) => tasks.progressed(message)],
  ["task_updated", (message, { tasks }) => tasks.patched(message)],
  ["task_notification", (message, { tasks }) => tasks.notified(message)],
  ["background_tasks_changed", (message, { tasks }) => tasks.listed(message)],
  [
    "permission_denied",
    (message, { calls }) => {
      calls.stopped(callOf(message), "denied");
      return [];
    },
  ],
  ["api_retry", retrying],
  ["compact_boundary", compacted],
  ["model_fallback", (message, { session }) => session.modelChanged(text(message["fallback_model"]), why(message))],
  ["session_title_changed", ({ title }) => [{ type: "session.updated", title: text(title) ?? "", by: "agent" }]],
  ["informational", informed],
  ["model_refusal_no_fallback", informed],
  ["local_command_output", ({ content }, { streams }) => streams.unstreamed(content)],
]);

const callOf = (message: JsonObject): string => text(message["tool_use_id"]) ?? "";
const why = ({ content, trigger }: JsonObject): string | undefined => text(content) ?? text(trigger);

function phase(message: JsonObject): AgentEvent[] {
  const failed = text(message["compact_error"]);
  if (failed !== undefined) return [{ type: "notice", level: "warning", code: "compact", message: failed }];
  if (message["status"] === "requesting") return [{ type: "turn.phase", phase: "model" }];
  return message["status"] === "compacting" ? [{ type: "turn.phase", phase: "compact" }] : [];
}

function retrying(message: JsonObject, { streams, now }: SystemParts): AgentEvent[] {
  const retry: AgentEvent = {
    type: "agent.retrying",
    attempt: number(message["attempt"]) ?? 1,
    ofMax: number(message["max_retries"]),
    delayMs: number(message["retry_delay_ms"]),
    error: failures.error(retryFacts(message), now()),
  };
  return [...streams.retried(), { type: "turn.phase", phase: "retry" }, retry];
}

function compacted({ compact_metadata: metadata }: JsonObject): AgentEvent[] {
  const { trigger, pre_tokens: before, post_tokens: after } = record(metadata);
  return [
    { type: "context.compacted", trigger: text(trigger) ?? "unknown", before: number(before), after: number(after) },
  ];
}

function informed({ content, level: given }: JsonObject): AgentEvent[] {
  const message = text(content);
  const level = given === "error" || given === "warning" ? given : "info";
  return message === undefined ? [] : [{ type: "notice", level, code: "informational", message }];
}

interface Task {
  readonly kind: "subagent" | "shell" | "other";
  readonly callId: string | undefined;
  readonly parent: string | undefined;
  running: boolean;
  background: boolean;
}

/** Subagents and shells, which may outlive their call and their turn. */
export class Tasks {
  readonly #tasks = new Map<string, Task>();
  /** Background tasks are listed before their start is reported. */
  #listed: ReadonlySet<string> = new Set();

  /** The ids of tasks that continue when the turn ends. */
  get background(): string[] {
    return [...this.#tasks].filter(([, task]) => task.running && task.background).map(([taskId]) => taskId);
  }

  get subagentsRun(): boolean {
    return [...this.#tasks.values()].some((task) => task.running && task.kind === "subagent");
  }

  runs(callId: string | undefined): boolean {
    return callId !== undefined && [...this.#tasks.values()].some((task) => task.running && task.callId === callId);
  }

  callOf(taskId: string): string | undefined {
    return this.#tasks.get(taskId)?.callId;
  }

  started(message: JsonObject, parent: string | undefined): AgentEvent[] {
    const taskId = text(message["task_id"]);
    if (taskId === undefined) return [];
    const callId = text(message["tool_use_id"]);
    const background = message["is_backgrounded"] === true || this.#listed.has(taskId);
    const kind = kindOf(message["task_type"]);
    this.#tasks.set(taskId, { kind, callId, parent, running: true, background });
    const title = text(message["description"]) ?? taskId;
    return [{ type: "task.started", taskId, callId, kind, title, status: "running", parent }];
  }

  progressed(message: JsonObject): AgentEvent[] {
    return this.#update(message, "running", text(message["description"]));
  }

  /** Reports the new status without a summary, which comes with the notification. */
  patched(message: JsonObject): AgentEvent[] {
    const patch = record(message["patch"]);
    const task = this.#tasks.get(text(message["task_id"]) ?? "");
    if (task !== undefined && typeof patch["is_backgrounded"] === "boolean") task.background = patch["is_backgrounded"];
    const status = statusOf(patch["status"]);
    return status === undefined ? [] : this.#update(message, status);
  }

  notified(message: JsonObject): AgentEvent[] {
    const events = this.#update(message, statusOf(message["status"]) ?? "completed", text(message["summary"]));
    this.#tasks.delete(text(message["task_id"]) ?? "");
    return events;
  }

  /** Takes the whole list of background tasks. A task that disappears without a reason was stopped. */
  listed(message: JsonObject): AgentEvent[] {
    this.#listed = new Set(list(message["tasks"]).map((task) => text(record(task)["task_id"]) ?? ""));
    const gone = this.background.filter((taskId) => !this.#listed.has(taskId));
    return gone.flatMap((taskId) => this.#update({ task_id: taskId }, "stopped"));
  }

  #update(message: JsonObject, status: TaskStatus, summary?: string): AgentEvent[] {
    const taskId = text(message["task_id"]);
    if (taskId === undefined) return [];
    const task = this.#tasks.get(taskId);
    const callId = text(message["tool_use_id"]) ?? task?.callId;
    if (task !== undefined) task.running = status === "running";
    return [{ type: "task.updated", taskId, callId, status, summary, parent: task?.parent }];
  }
}

function kindOf(type: unknown): "subagent" | "shell" | "other" {
  return type === "local_agent" ? "subagent" : type === "local_bash" ? "shell" : "other";
}

function statusOf(status: unknown): TaskStatus | undefined {
  if (status === "completed" || status === "failed") return status;
  if (status === "running" || status === "pending" || status === "paused") return "running";
  return status === "killed" || status === "stopped" ? "stopped" : undefined;
}

export class SessionFacts extends IntroducedSession {
  constructor(options: SessionFactsOptions) {
    super(options, { mode: "permissionMode", version: "claude_code_version", encodeState });
  }

  introduced(message: JsonObject): AgentEvent[] {
    if (!this.started) {
      this.mode = modeOf(this.modeIn(message), this.mode);
      return [this.begun(message)];
    }
    const update = this.changedIn(message);
    const state = this.stateIn(message);
    if (state !== undefined && state !== this.state) update.state = this.state = state;
    this.#changeMode(this.modeIn(message), update);
    return told(update);
  }

  /** The mode changed through an approved plan or an `always` answer. */
  modeReported(native: unknown): AgentEvent[] {
    if (!this.started) return [];
    const update: SessionUpdate = { type: "session.updated", by: "agent" };
    this.#changeMode(text(native), update);
    return told(update);
  }

  /** After `/clear` the new id comes with the next introduction. */
  forgotten(reason: string | undefined): AgentEvent[] {
    return [{ type: "session.updated", reset: true, by: "agent", reason }];
  }

  #changeMode(native: string | undefined, update: SessionUpdate): void {
    if (native === undefined || native === this.nativeMode) return;
    this.nativeMode = native;
    const mode = modeOf(native, this.mode);
    const unmapped = !mapped.has(native);
    if (mode === this.mode && !unmapped) return;
    if (mode !== this.mode) update.mode = this.mode = mode;
    update.nativeMode = native;
  }
}

const mapped: ReadonlyMap<string, Mode> = new Map<string, Mode>([
  ["default", "ask"],
  ["acceptEdits", "edits"],
  ["plan", "plan"],
  ["bypassPermissions", "full"],
]);

/** Reins maps `read` and `full` to the agent's default mode, which also follows `plan` and `edits`. */
function modeOf(native: string | undefined, current: Mode): Mode {
  if (native === undefined) return current;
  if (native === "default" && current !== "plan" && current !== "edits") return current;
  return mapped.get(native) ?? current;
}
