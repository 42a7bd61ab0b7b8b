/** Translates `system` messages, which have their content in `data`, and silent retries. */
import type { Mode } from "../../events/modes.ts";
import type { AgentEvent, TaskStatus } from "../../events/types.ts";
import type { FailureFacts } from "../../protocols/failure.ts";
import { number, record, text, texts, type JsonObject } from "../../protocols/json.ts";
import { resetTime } from "../shared/failures/reset-time.ts";
import { IntroducedSession, told, type SessionFactsOptions, type SessionUpdate } from "../shared/stream-json-facts.ts";
import { failures } from "./failures.ts";
import { encodeState } from "./program.ts";

export function systemEvents(message: JsonObject, session: SessionFacts, tasks: Tasks): AgentEvent[] | undefined {
  const data = record(message["data"]);
  switch (message["subtype"]) {
    case "init":
      return session.introduced(message);
    case "task_started":
      return tasks.started(data);
    case "task_notification":
      return tasks.notified(data);
    case "model_fallback":
      return session.modelChanged(text(data["toModel"]), `${text(data["fromModel"]) ?? "The model"} has no capacity.`);
    default: {
      const level = notices.get(message["subtype"]);
      const said = text(data["notice"]) ?? text(data["error"]);
      if (level === undefined) return undefined;
      return said === undefined ? [] : [{ type: "notice", level, code: "informational", message: said }];
    }
  }
}

const notices: ReadonlyMap<unknown, "info" | "warning"> = new Map([
  ["worktree_started", "info"],
  ["worktree_restored", "info"],
  ["vision_routing", "info"],
  ["vision_bridge", "info"],
  ["vision_bridge_failed", "warning"],
  ["continue_turn_failed", "warning"],
]);

/** Background subagents, for which the turn waits, and monitors, which may outlive it. */
export class Tasks {
  readonly #running = new Set<string>();

  /** The ids of tasks that continue when the turn ends. */
  get background(): string[] {
    return [...this.#running];
  }

  started(data: JsonObject): AgentEvent[] {
    const taskId = text(data["task_id"]);
    if (taskId === undefined) return [];
    this.#running.add(taskId);
    const kind = text(data["subagent_type"]) === undefined ? "other" : "subagent";
    const title = text(data["description"]) ?? taskId;
    return [{ type: "task.started", taskId, callId: text(data["tool_use_id"]), kind, title, status: "running" }];
  }

  notified(data: JsonObject): AgentEvent[] {
    const taskId = text(data["task_id"]);
    if (taskId === undefined) return [];
    const status = statusOf(data["status"]);
    if (status !== "running") this.#running.delete(taskId);
    return [{ type: "task.updated", taskId, callId: text(data["tool_use_id"]), status }];
  }
}

function statusOf(status: unknown): TaskStatus {
  if (status === "running" || status === "failed") return status;
  return status === "cancelled" || status === "stopped" || status === "paused" ? "stopped" : "completed";
}

export class SessionFacts extends IntroducedSession {
  constructor(options: SessionFactsOptions) {
    super(options, { mode: "permission_mode", version: "qwen_code_version", encodeState });
  }

  introduced(message: JsonObject): AgentEvent[] {
    if (this.started) {
      const update = this.changedIn(message);
      this.#changeMode(this.modeIn(message), update);
      return [...this.named(message), ...told(update)];
    }
    const events: AgentEvent[] = [this.begun(message)];
    const commands = texts(message["slash_commands"]).map((name) => ({ name }));
    if (commands.length > 0) events.push({ type: "session.updated", commands, by: "agent" });
    return events;
  }

  /** Every message has the id of the conversation; `/clear` begins another. */
  named(message: JsonObject): AgentEvent[] {
    const state = this.stateIn(message);
    if (!this.started || state === undefined || state === this.state) return [];
    this.state = state;
    return [{ type: "session.updated", reset: true, state, by: "agent" }];
  }

  #changeMode(native: string | undefined, update: SessionUpdate): void {
    if (native === undefined || native === this.nativeMode) return;
    this.nativeMode = native;
    update.nativeMode = native;
    const mode = mapped.get(native) ?? this.mode;
    if (mode !== this.mode) update.mode = this.mode = mode;
  }
}

const mapped: ReadonlyMap<string, Mode> = new Map<string, Mode>([
  ["default", "ask"],
  ["auto-edit", "edits"],
  ["plan", "plan"],
  ["yolo", "full"],
]);

/**
 * The program silently retries a failed request seven times over more than a minute. The transcript shows the attempts;
 * after two Reins ends the turn, and the route decides whether to wait.
 */
export const maxRetries = 2;
/** The transcript is read after this much silence. */
const silenceMs = 400;
/** The program waits as long as a service asks it to. Reins gives up on a longer wait than this. */
const patienceMs = 10_000;
/** The same when only the program knows the wait that the service asks for. */
const silentMs = 30_000;

export function retrying(attempt: number, failure: FailureFacts): AgentEvent[] {
  if (attempt > maxRetries) return [];
  return [
    { type: "turn.phase", phase: "retry" },
    { type: "agent.retrying", attempt, ofMax: maxRetries, error: failures.error(failure) },
  ];
}

export interface RetryWatchOptions {
  /** False when the program tries other models after its retries. */
  readonly givesUp: boolean;
  readonly look: () => void;
  readonly giveUp: (failure: FailureFacts) => void;
}

/** Looks for failed requests while a turn runs and no messages come. */
export class RetryWatch {
  readonly #options: RetryWatchOptions;
  #timer: NodeJS.Timeout | undefined;
  #silent: NodeJS.Timeout | undefined;
  #heard = false;

  constructor(options: RetryWatchOptions) {
    this.#options = options;
  }

  start(): void {
    this.stop();
    this.#timer = setInterval(() => {
      if (!this.#heard) this.#options.look();
      this.#heard = false;
    }, silenceMs).unref();
  }

  heard(): void {
    this.#heard = true;
    clearTimeout(this.#silent);
  }

  stop(): void {
    clearTimeout(this.#silent);
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  failed(line: JsonObject): AgentEvent[] {
    if (this.#timer === undefined) return [];
    const attempt = number(line["attempt"]) ?? 1;
    const failure = { status: number(line["status"]), text: text(line["said"]) ?? "" };
    if (!this.#options.givesUp) return retrying(attempt, failure);
    const now = Date.now();
    if (attempt > maxRetries || (resetTime(failure, now) ?? now) - now > patienceMs) {
      this.#options.giveUp(failure);
      return [];
    }
    clearTimeout(this.#silent);
    // With these statuses a service may ask the program to wait.
    if (failure.status === 429 || failure.status === 503)
      this.#silent = setTimeout(() => this.#options.giveUp(failure), silentMs).unref();
    return retrying(attempt, failure);
  }
}
