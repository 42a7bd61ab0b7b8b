/** Translates parts about tool calls, the conversations of subagents, and the to-do list. */
import { list, record, text, type JsonObject } from "../../protocols/json.ts";
import type { AgentEvent, AgentEventOf } from "../../events/types.ts";
import { CallTracker, endOf, type DescribedCall } from "../shared/calls.ts";
import type { FileBefore } from "../shared/file-before.ts";
import { calledName, filesChanged, outcomeOf, toolCall, type Naming } from "./tools.ts";

interface Call extends DescribedCall {
  /** The tool as the part names it. */
  readonly name: string;
  readonly partId: string;
}

export class Calls extends CallTracker<Call> {
  readonly #naming: Naming;
  readonly #sessions: Sessions;
  /** Ids of calls are reused, those of their parts are not. */
  readonly #endedParts = new Set<string>();
  /** The native name and the id of the last call. */
  lastEnded = "";

  constructor(naming: Naming, sessions: Sessions) {
    super({ reusesIds: true });
    this.#naming = naming;
    this.#sessions = sessions;
  }

  inputChanged(callId: string, input: unknown, before: FileBefore | undefined): AgentEvent[] {
    const open = this.find(callId);
    if (open === undefined) return [];
    const { name, partId } = open.call;
    return this.changed(callId, { ...toolCall(name, input, this.#naming), input, name, partId }, before);
  }

  /** `before` completes the texts before a call. */
  part(session: string, part: JsonObject, before: () => AgentEvent[]): AgentEvent[] {
    const state = record(part["state"]);
    const [partId, nativeId] = [text(part["id"]), text(part["callID"])];
    const { status } = state;
    if (partId === undefined || nativeId === undefined || this.#endedParts.has(partId)) return [];
    const over = status === "completed" || status === "error";
    if (!over && status !== "running") return [];
    const callId = this.#sessions.callId(session, nativeId);
    const known = this.find(callId)?.call;
    if (known?.partId === partId)
      return over ? this.#end(callId, known, state) : this.#progress(callId, known, state, session);
    if (known !== undefined) this.close(callId);
    const [name, input] = [text(part["tool"]) ?? "unknown", state["input"] ?? {}];
    const call = { ...toolCall(calledName(name, input), input, this.#naming), input, name, partId };
    const started = this.start(callId, call, this.#sessions.parentOf(session));
    const events = [...before(), ...started, ...this.#progress(callId, call, state, session)];
    return over ? [...events, ...this.#end(callId, call, state)] : events;
  }

  #progress(callId: string, { name }: Call, state: JsonObject, session: string): AgentEvent[] {
    const metadata = record(state["metadata"]);
    const child = name === "task" ? text(metadata["sessionId"]) : undefined;
    if (child !== undefined) this.#sessions.startedBy(child, session, callId);
    return name === "bash" ? this.grew(callId, text(metadata["output"]) ?? "") : [];
  }

  #end(callId: string, { name, partId }: Call, state: JsonObject): AgentEvent[] {
    const { open, stopped, before } = this.close(callId)!;
    this.#endedParts.add(partId);
    this.lastEnded = `${name} ${callId}`;
    const outcome = outcomeOf(name, state, stopped === "denied");
    const { call, parent } = open!;
    const end = endOf(callId, outcome, parent);
    if (outcome.failed !== undefined) return [end];
    const { input } = call;
    return [end, ...filesChanged({ callId, name, input, before, parent }, record(state["metadata"]), this.#naming.cwd)];
  }
}

interface Child {
  /** The call that started the conversation; unknown until its tool reports it. */
  call: string | undefined;
  running: boolean;
}

/** The conversations of one server: the main one, and those of subagents under their calls. */
export class Sessions {
  readonly #main: string;
  readonly #children = new Map<string, Child>();
  /** Conversations of background subagents, and whether they run. */
  readonly #tasks = new Map<string, boolean>();

  constructor(main: string) {
    this.#main = main;
  }

  created(info: unknown): void {
    const { id, parentID } = record(info);
    const [child, of] = [text(id), text(parentID)];
    if (child === undefined || of === undefined || child === this.#main || this.#children.has(child)) return;
    if (this.isOurs(of)) this.#children.set(child, { call: undefined, running: true });
  }

  startedBy(child: string, of: string, callId: string): void {
    const known = this.#children.get(child);
    if (known !== undefined) known.call = callId;
    else if (child !== this.#main && this.isOurs(of)) this.#children.set(child, { call: callId, running: true });
  }

  isMain(session: string): boolean {
    return session === this.#main;
  }

  isOurs(session: string): boolean {
    return session === this.#main || this.#children.has(session);
  }

  /** True when the call that the events of this conversation belong to is known. */
  isPlaced(session: string): boolean {
    return session === this.#main || this.#children.get(session)?.call !== undefined;
  }

  parentOf(session: string): string | undefined {
    return this.#children.get(session)?.call;
  }

  /** Services number the calls of each conversation separately, so ids of subagents get a prefix. */
  callId(session: string, nativeId: string): string {
    return session === this.#main ? nativeId : `${session.slice(-8)}-${nativeId}`;
  }

  setRunning(session: string, running: boolean): void {
    const child = this.#children.get(session);
    if (child !== undefined) child.running = running;
  }

  get running(): string[] {
    return [...this.#children].filter(([, { running }]) => running).map(([id]) => id);
  }

  /** Background subagents: their call ends at once, and they continue. */
  get background(): string[] {
    return [...this.#tasks].filter(([, running]) => running).map(([id]) => id);
  }

  /** Handles a part of a call that starts a subagent in the background. */
  taskStarted(part: JsonObject, callId: string): AgentEvent[] {
    const { metadata, input } = record(part["state"]);
    const { background, sessionId } = record(metadata);
    const taskId = text(sessionId);
    if (part["tool"] !== "task" || background !== true || taskId === undefined || this.#tasks.has(taskId)) return [];
    this.#tasks.set(taskId, true);
    const title = text(record(input)["description"]) ?? "Subagent";
    return [{ type: "task.started", taskId, callId, kind: "subagent", title, status: "running" }];
  }

  taskEnded(taskId: string, status: "completed" | "failed"): AgentEvent[] {
    if (this.#tasks.get(taskId) !== true) return [];
    this.#tasks.set(taskId, false);
    return [{ type: "task.updated", taskId, status }];
  }
}

type Entry = AgentEventOf<"plan.updated">["entries"][number];

/** The to-do list without cancelled entries. */
export function planOf(todos: unknown): Entry[] {
  return list(todos).flatMap((item): Entry[] => {
    const { content, status, priority } = record(item);
    const entry = text(content);
    if (entry === undefined || status === "cancelled") return [];
    const done = status === "completed" || status === "in_progress" ? status : "pending";
    const weight = priority === "high" || priority === "medium" || priority === "low" ? priority : undefined;
    return [{ text: entry, status: done, ...(weight === undefined ? {} : { priority: weight }) }];
  });
}
