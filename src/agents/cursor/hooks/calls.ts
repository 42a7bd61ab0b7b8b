/** Merges calls as hooks and the stream report them, in either order and possibly under two ids, into calls with one id. */
import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { defaultLimits } from "../../../events/limits.ts";
import { toolKinds, type Tool } from "../../../events/tools.ts";
import type { AgentEvent, AgentEventOf } from "../../../events/types.ts";
import { isRecord, parseJson, record, text } from "../../../protocols/json.ts";
import type { Outcome } from "../../shared/calls.ts";
import { saidIn } from "../../shared/cursor/results.ts";
import { cursorCall, type CursorCall } from "../../shared/cursor/tools.ts";

/** The subject of a call, which identifies it when ids and field names differ. */
interface Subject {
  readonly kind: string;
  readonly about: string | undefined;
  readonly folder?: string | undefined;
}

const folders = ["working_directory", "workingDirectory", "cwd"];
const paths = ["path", "file_path", "filePath", "target_file", "targetFile", "target_directory", "targetDirectory"];
const others = ["url", "pattern", "globPattern", "glob_pattern", "query", "search_term", "searchTerm", "description"];

/** `beside`: the folder, when the hook reports it outside the input. */
function subjectOf(tool: Tool, input: unknown, cwd: string, nativeName: string, beside?: string): Subject {
  // Hooks have one name for writing and editing, other sources have two, so the kind is compared.
  const kind = toolKinds[tool] === "other" || toolKinds[tool] === "think" ? tool : toolKinds[tool];
  const given = record(input);
  const first = (names: readonly string[]): string | undefined =>
    names.map((name) => text(given[name])).find((value) => value !== undefined);
  if (tool === "mcp") return { kind, about: first(["toolName", "tool"]) ?? /^mcp:(.+)$/is.exec(nativeName)?.[1] };
  if (tool === "shell") {
    const folder = first(folders) ?? text(beside);
    return { kind, about: first(["command"]), folder: folder === undefined ? undefined : resolve(cwd, folder) };
  }
  const path = first(paths);
  return { kind, about: path === undefined ? first(others) : resolve(cwd, path) };
}

function mayBeIn(one: Subject, other: Subject): boolean {
  return one.folder === undefined || other.folder === undefined || one.folder === other.folder;
}

/** The call with the same subject, or the only possible one of its kind. */
function findAlike(calls: readonly KnownCall[], wanted: Subject): KnownCall | undefined {
  const { kind, about } = wanted;
  const alike = calls.filter(({ subject }) => subject.kind === kind);
  const same = alike.filter(({ subject }) => about !== undefined && subject.about === about);
  // The stream may have another name for the same folder.
  if (same.length > 0) return same.find(({ subject }) => mayBeIn(subject, wanted)) ?? same[0];
  const unclear = alike.filter(({ subject }) => about === undefined || subject.about === undefined);
  return unclear.length === 1 ? unclear[0] : undefined;
}

export interface KnownCall {
  /** The id in the events. */
  readonly callId: string;
  subject: Subject;
  /** Holds the changed input if the input was changed. */
  call: CursorCall;
  streamed: boolean;
  hooked: boolean;
  asked: boolean;
  outcome?: Outcome | undefined;
}

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

  /** Handles a call reported by a hook. The hook's input is the one that is about to run. */
  hooked(id: string | undefined, nativeName: string, input: unknown, folder?: string): KnownCall {
    const call = cursorCall(nativeName, input, this.#cwd);
    const subject = subjectOf(call.tool, call.input, this.#cwd, nativeName, folder);
    const unhooked = this.#all().filter((one) => !one.hooked);
    const known =
      this.get(id) ??
      findAlike(unhooked, subject) ??
      this.#add(id ?? `${this.#prefix}-${++this.#count}`, call, subject);
    Object.assign(known, { call, subject, hooked: true });
    if (id !== undefined) this.#known.set(id, known);
    return known;
  }

  /** The call that a hook without ids means. Compares exactly, because a verdict about one call must not apply to another. */
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

  /** The subagent that has ended, which has no id then: the one with these texts, or the only one still running. */
  subagent(...words: readonly (string | undefined)[]): KnownCall | undefined {
    const working = this.#all().filter(({ call, outcome }) => call.tool === "task" && outcome === undefined);
    const told = working.find(({ call: { input } }) =>
      [input["description"], input["prompt"]].some((one) => typeof one === "string" && words.includes(one)),
    );
    return told ?? (working.length === 1 ? working[0] : undefined);
  }

  isUnchanged(id: string, nativeName: string, input: unknown): boolean {
    const known = this.get(id);
    return known === undefined || isDeepStrictEqual(known.call, cursorCall(nativeName, input, this.#cwd));
  }

  changed(known: KnownCall, input: unknown): void {
    known.call = cursorCall(known.call.nativeName, input, this.#cwd);
    const { tool, input: given, nativeName } = known.call;
    known.subject = subjectOf(tool, given, this.#cwd, nativeName, known.subject.folder);
  }

  streamed({ callId, tool, nativeName, kind, title, locations, input }: AgentEventOf<"tool.started">): void {
    const subject = subjectOf(tool, input, this.#cwd, nativeName);
    const call = { tool, nativeName, kind, title, locations, input: record(input), mcp: undefined };
    const unstreamed = this.#all().filter((one) => !one.streamed);
    const found = this.get(callId) ?? findAlike(unstreamed, subject) ?? this.#add(callId, call, subject);
    found.streamed = true;
    this.#known.set(callId, found);
  }

  /** A stream id may consist of two ids with a line break between them. */
  get(id: string | undefined): KnownCall | undefined {
    if (id === undefined) return undefined;
    const exact = this.#known.get(id);
    if (exact !== undefined) return exact;
    const parts = id.split("\n");
    for (const [other, known] of this.#known) if (parts.includes(other) || other.split("\n").includes(id)) return known;
    return undefined;
  }

  renamed<Event extends AgentEvent>(event: Event): Event {
    const { callId, parent } = event as { callId?: string; parent?: string };
    const nameOf = (id: string | undefined) => (id === undefined ? id : (this.#known.get(id)?.callId ?? id));
    const names = { callId: nameOf(callId), parent: nameOf(parent) };
    if (names.callId === callId && names.parent === parent) return event;
    return {
      ...event,
      ...(names.callId === undefined ? {} : { callId: names.callId }),
      ...(names.parent === undefined ? {} : { parent: names.parent }),
    };
  }

  untold(): readonly KnownCall[] {
    return this.#all().filter(({ streamed }) => !streamed);
  }

  clear(): void {
    this.#known.clear();
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

/** The stream reports the server of a tool beside its arguments; hooks report only the arguments. */
function argumentsOf(input: CursorCall["input"]): unknown {
  return text(input["toolName"]) === undefined ? input : (input["args"] ?? input["arguments"] ?? {});
}

/** Clips the output to the shown size: it is kept until the turn ends without a report of the stream. */
export function outputOf(output: string, durationMs: number | undefined): Outcome {
  const text = output.slice(0, defaultLimits.inlineBytes);
  return { output: { text, bytes: Buffer.byteLength(output), kept: Buffer.byteLength(text) }, durationMs };
}

export function failureOf(told: {
  readonly error_message?: string | undefined;
  readonly failure_type?: string | undefined;
  readonly is_interrupt?: boolean | undefined;
}): Outcome {
  const { error_message: message = "It failed.", failure_type: type, is_interrupt: interrupted } = told;
  const reason = type === "timeout" ? "timeout" : type === "permission_denied" ? "denied" : "error";
  const failed = { error: { message }, reason: interrupted === true ? "cancelled" : reason } as const;
  return { ...outputOf("", undefined), failed };
}

/** The text of a result that is JSON or a JSON string. */
export function resultText(given: unknown): string {
  const inside = typeof given === "string" ? parseJson(given) : undefined;
  return saidIn(isRecord(inside) ? inside : given);
}
