/** One call is told twice, by a hook and by the stream, in either order and perhaps under two ids: here both have one. */
import { isDeepStrictEqual } from "node:util";
import { text } from "../../../drivers/stream-json/read.ts";
import { cursorCall } from "../tools.ts";
import type { CursorCall } from "../tools.ts";
import type { AgentEvent, AgentEventOf } from "../../../events/types.ts";
import { findAlike, mayBeIn, subjectOf } from "./subject.ts";
import type { Subject } from "./subject.ts";

export interface KnownCall {
  /** As readers know it. */
  readonly callId: string;
  /** What it is about, and what it is called with: with which input it runs, once that was changed. */
  subject: Subject;
  call: CursorCall;
  /** Who has told it. */
  streamed: boolean;
  hooked: boolean;
  /** Reins was asked about it before it ran. */
  asked: boolean;
  /** What a hook said came of it. */
  outcome?: Outcome | undefined;
}

export type Outcome =
  | { readonly output: string; readonly bytes: number; readonly durationMs: number | undefined }
  | { readonly failed: string; readonly reason: AgentEventOf<"tool.failed">["reason"] };

export class Calls {
  readonly #cwd: string;
  readonly #prefix: string;
  readonly #known = new Map<string, KnownCall>();
  #count = 0;

  /** `prefix`: unique among the legs of a session. */
  constructor(cwd: string, prefix: string) {
    this.#cwd = cwd;
    this.#prefix = prefix;
  }

  /** A hook tells of one; where its id is not known, it is found by what it is about. What the hook says is what is about to run. */
  hooked(id: string | undefined, nativeName: string, input: unknown, folder?: string): KnownCall {
    const call = cursorCall(nativeName, input, this.#cwd);
    const subject = subjectOf(call.tool, call.input, this.#cwd, nativeName, folder);
    const unhooked = this.#all().filter((one) => !one.hooked);
    const known =
      this.#byId(id) ??
      findAlike(unhooked, subject) ??
      this.#add(id ?? `${this.#prefix}-${++this.#count}`, call, subject);
    Object.assign(known, { call, subject, hooked: true });
    if (id !== undefined) this.#known.set(id, known);
    return known;
  }

  /** The one that another hook, which has no ids, means: exactly the same, as what was decided about one holds for no other. */
  same(nativeName: string, input: unknown, isIt: (call: KnownCall) => boolean): KnownCall | undefined {
    const { tool, input: given } = cursorCall(nativeName, input, this.#cwd);
    const subject = subjectOf(tool, given, this.#cwd, nativeName);
    return this.#all().find(
      (one) =>
        one.hooked &&
        isIt(one) &&
        subject.about !== undefined &&
        one.subject.kind === subject.kind &&
        one.subject.about === subject.about &&
        mayBeIn(one.subject, subject) &&
        (tool !== "mcp" || isDeepStrictEqual(argumentsOf(one.call.input), argumentsOf(given))),
    );
  }

  /** The subagent that has ended, which has no id then: the one that was told these words, or the only one that has not. */
  subagent(...words: readonly (string | undefined)[]): KnownCall | undefined {
    const working = this.#all().filter(({ call, outcome }) => call.tool === "task" && outcome === undefined);
    const told = working.find(({ call: { input } }) =>
      [input["description"], input["prompt"]].some((one) => typeof one === "string" && words.includes(one)),
    );
    return told ?? (working.length === 1 ? working[0] : undefined);
  }

  /** Whether it is still the same that is about to run. */
  isUnchanged(id: string, nativeName: string, input: unknown): boolean {
    const known = this.#byId(id);
    return known === undefined || isDeepStrictEqual(known.call, cursorCall(nativeName, input, this.#cwd));
  }

  /** It runs with another input. */
  changed(known: KnownCall, input: unknown): void {
    known.call = cursorCall(known.call.nativeName, input, this.#cwd);
    const { tool, input: given, nativeName } = known.call;
    known.subject = subjectOf(tool, given, this.#cwd, nativeName, known.subject.folder);
  }

  /** The stream tells of one. */
  streamed({ callId, tool, nativeName, kind, title, locations, input }: AgentEventOf<"tool.started">): KnownCall {
    const subject = subjectOf(tool, input, this.#cwd, nativeName);
    const known =
      this.#byId(callId) ??
      findAlike(
        this.#all().filter((one) => !one.streamed),
        subject,
      );
    const call = {
      tool,
      nativeName,
      kind,
      title,
      locations,
      input: Object(input) as CursorCall["input"],
      mcp: undefined,
    };
    const found = known ?? this.#add(callId, call, subject);
    found.streamed = true;
    this.#known.set(callId, found);
    return found;
  }

  get(callId: string): KnownCall | undefined {
    return this.#byId(callId);
  }

  /** An event of the stream with the ids that readers know. */
  renamed<Event extends AgentEvent>(event: Event): Event {
    const { callId, parent } = event as { callId?: string; parent?: string };
    const names = { callId: this.#nameOf(callId), parent: this.#nameOf(parent) };
    if (names.callId === callId && names.parent === parent) return event;
    return {
      ...event,
      ...(names.callId === undefined ? {} : { callId: names.callId }),
      ...(names.parent === undefined ? {} : { parent: names.parent }),
    };
  }

  /** Those that only hooks told. */
  untold(): readonly KnownCall[] {
    return this.#all().filter(({ streamed }) => !streamed);
  }

  clear(): void {
    this.#known.clear();
  }

  #nameOf(id: string | undefined): string | undefined {
    return id === undefined ? undefined : (this.#known.get(id)?.callId ?? id);
  }

  /** An id of the stream may be two in one, with a line end between them. */
  #byId(id: string | undefined): KnownCall | undefined {
    if (id === undefined) return undefined;
    const exact = this.#known.get(id);
    if (exact !== undefined) return exact;
    const parts = id.split("\n");
    for (const [other, known] of this.#known) if (parts.includes(other) || other.split("\n").includes(id)) return known;
    return undefined;
  }

  #add(callId: string, call: CursorCall, subject: Subject): KnownCall {
    const known: KnownCall = { callId, subject, call, streamed: false, hooked: false, asked: false };
    this.#known.set(callId, known);
    return known;
  }

  #all(): readonly KnownCall[] {
    return [...new Set(this.#known.values())];
  }
}

/** The stream tells whose tool it is beside what it is called with; hooks tell only that. */
function argumentsOf(input: CursorCall["input"]): unknown {
  return text(input["toolName"]) === undefined ? input : (input["args"] ?? input["arguments"] ?? {});
}
