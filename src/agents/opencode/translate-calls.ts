/** Tool calls, from the model's wish to what came of it. */
import { record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import type { AgentEvent } from "../../events/types.ts";
import type { Sessions } from "./sessions.ts";
import { filesChanged } from "./tools-files.ts";
import type { FileBefore } from "../shared/file-before.ts";
import { endOf } from "./tools-results.ts";
import { calledName, toolCall } from "./tools.ts";
import type { Naming } from "./tools.ts";

/** A call that was started and has no end yet. */
export interface Call {
  readonly callId: string;
  readonly nativeName: string;
  readonly parent: string | undefined;
  readonly partId: string;
  input: unknown;
  /** The file it is about, as it was. */
  before: FileBefore | undefined;
  denied: boolean;
  /** What it put out so far. */
  output: string;
}

export class Calls {
  readonly #naming: Naming;
  readonly #sessions: Sessions;
  readonly #open = new Map<string, Call>();
  /** By the id of their parts, which are never used again. */
  readonly #ended = new Set<string>();
  /** The native name and the id of the call that ended last. */
  lastEnded = "";
  /** What is known of calls before they are told. */
  readonly #early = new Map<string, { before: FileBefore | undefined; denied: boolean }>();

  constructor(naming: Naming, sessions: Sessions) {
    this.#naming = naming;
    this.#sessions = sessions;
  }

  find(callId: string): Call | undefined {
    return this.#open.get(callId);
  }

  /** It waits for Reins. */
  held(callId: string, before: FileBefore | undefined): void {
    const call = this.#open.get(callId);
    if (call === undefined) this.#early.set(callId, { before, denied: false });
    else call.before = before;
  }

  denied(callId: string): void {
    const call = this.#open.get(callId);
    if (call === undefined) this.#early.set(callId, { before: undefined, denied: true });
    else call.denied = true;
  }

  /** A person changed what it runs with. */
  changed(callId: string, input: unknown, before: FileBefore | undefined): AgentEvent[] {
    const call = this.#open.get(callId);
    if (call === undefined) return [];
    Object.assign(call, { input, before });
    const { title, locations } = toolCall(call.nativeName, input, this.#naming);
    return [{ type: "tool.progress", callId, input, title, locations, parent: call.parent }];
  }

  /** A part of a message of the conversation's; `before` is what was said before a call, and ends with it. */
  part(session: string, part: Wire, before: () => AgentEvent[]): AgentEvent[] {
    const state = record(part["state"]);
    const [partId, nativeId] = [text(part["id"]), text(part["callID"])];
    const { status } = state;
    if (partId === undefined || nativeId === undefined || this.#ended.has(partId)) return [];
    const over = status === "completed" || status === "error";
    if (!over && status !== "running") return [];
    const callId = this.#sessions.callId(session, nativeId);
    const known = this.#open.get(callId);
    if (known?.partId === partId) return over ? this.#end(known, state) : this.#progress(known, state, session);
    const call = this.#begin(callId, partId, session, text(part["tool"]) ?? "unknown", state["input"] ?? {});
    const events = [...before(), this.#startOf(call), ...this.#progress(call, state, session)];
    return over ? [...events, ...this.#end(call, state)] : events;
  }

  #begin(callId: string, partId: string, session: string, nativeName: string, input: unknown): Call {
    const early = this.#early.get(callId);
    this.#early.delete(callId);
    const parent = this.#sessions.parentOf(session);
    const known = early ?? { before: undefined, denied: false };
    const call: Call = { callId, nativeName, parent, partId, input, output: "", ...known };
    this.#open.set(callId, call);
    return call;
  }

  #startOf({ callId, nativeName, input, parent }: Call): AgentEvent {
    const { tool, kind, title, locations, ...rest } = toolCall(calledName(nativeName, input), input, this.#naming);
    return { type: "tool.started", callId, tool, nativeName: rest.nativeName, kind, title, input, locations, parent };
  }

  #progress(call: Call, state: Wire, session: string): AgentEvent[] {
    const metadata = record(state["metadata"]);
    const child = call.nativeName === "task" ? text(metadata["sessionId"]) : undefined;
    if (child !== undefined) this.#sessions.startedBy(child, session, call.callId);
    if (call.nativeName !== "bash") return [];
    const output = text(metadata["output"]) ?? "";
    const { callId, parent } = call;
    // All of it so far, or of a long one its end, which cannot be told apart from what was told.
    const more = output.startsWith(call.output) ? output.slice(call.output.length) : "";
    if (more === "") return [];
    call.output = output;
    return [{ type: "tool.progress", callId, output: more, parent }];
  }

  #end(call: Call, state: Wire): AgentEvent[] {
    this.#open.delete(call.callId);
    this.#ended.add(call.partId);
    this.lastEnded = `${call.nativeName} ${call.callId}`;
    const end = endOf(call, state);
    if (end.type !== "tool.completed") return [end];
    return [end, ...filesChanged(call, record(state["metadata"]), this.#naming.cwd)];
  }
}
