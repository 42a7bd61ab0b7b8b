/** Tool calls, from their announcement to their result. Updates replace the fields they have and leave the others. */
import { isDeepStrictEqual } from "node:util";
import { toolKinds } from "../../events/tools.ts";
import type { ToolKind } from "../../events/tools.ts";
import type { AgentEventOf, Content, Location } from "../../events/types.ts";
import type { Out } from "../json-rpc/index.ts";
import { firstText, isRecord, number, record, records, text } from "../json.ts";
import type { JsonObject } from "../json.ts";
import { changesOf, contentOf, diffsIn, locationsOf } from "./content.ts";
import type { Diff } from "./content.ts";
import type { AcpCall, AcpQuirks, AcpTool } from "./options.ts";
import { kindOf, nameIn, titleFor, toolOf } from "./tools.ts";

/** A call as its events tell it. */
export interface Described extends AcpTool {
  readonly kind: ToolKind;
  readonly title: string;
  readonly rawInput: unknown;
  readonly locations: Location[] | undefined;
}

export interface Asked extends Described {
  readonly callId: string;
  readonly parent: string | undefined;
  /** What it says about it. */
  readonly said: string;
  readonly diffs: readonly Diff[];
}

interface Call {
  readonly id: string;
  readonly parent: string | undefined;
  name: string | undefined;
  kind: ToolKind | undefined;
  title: string | undefined;
  announced: string | undefined;
  input: unknown;
  locations: Location[];
  content: readonly JsonObject[];
  /** Those told last: an agent may replace them by words when it is done. */
  diffs: readonly Diff[];
  meta: JsonObject;
  /** Under way for sure: until then, content is what it would do. */
  runs: boolean;
  /** What was told of it; undefined until it was started. */
  told: Described | undefined;
  /** How much of its output was told. */
  shown: string;
  ended: boolean;
}

export class Calls {
  readonly #cwd: string;
  readonly #quirks: AcpQuirks;
  readonly #calls = new Map<string, Call>();
  /** Ids of calls that are known by another. */
  readonly #otherIds = new Map<string, string>();

  constructor(cwd: string, quirks: AcpQuirks) {
    this.#cwd = cwd;
    this.#quirks = quirks;
  }

  knows(callId: unknown): boolean {
    return this.#calls.has(callId as string) || this.#otherIds.has(callId as string);
  }

  /** Whatever is still said of it says nothing. */
  hasEnded(callId: unknown): boolean {
    const id = this.#otherIds.get(callId as string) ?? (callId as string);
    return this.#calls.get(id)?.ended === true;
  }

  /** Those that were told of and have not ended. */
  open(): readonly AcpCall[] {
    return [...this.#calls.values()].filter(({ told, ended }) => told !== undefined && !ended);
  }

  /** `tool_call` and `tool_call_update` alike: an update of an unknown call starts it. False where there is no id. */
  update(update: JsonObject, parent: string | undefined, cancelling: boolean, out: Out): boolean {
    const call = this.#find(update, parent);
    if (call === undefined) return false;
    if (call.ended) return true;
    this.#merge(call, update);
    const status = update["status"];
    const over = status === "completed" || status === "failed" || status === "cancelled";
    if (status === "in_progress") call.runs = true;
    if (call.told === undefined && !over && status !== "in_progress" && this.#isUnready(call)) return true;
    this.#tell(call, out);
    if (over) this.#end(call, status, update["rawOutput"], cancelling, out);
    else this.#progress(call, out);
    return true;
  }

  /**
   * Somebody is asked about a call. It is started if it was not; what is asked is described by the request first, because that
   * is what an answer is about, and by the announcement where the request says nothing.
   */
  asked(update: JsonObject, parent: string | undefined, out: Out): Asked | undefined {
    const call = this.#find(update, parent);
    if (call === undefined) return undefined;
    const { rawInput, title, ...rest } = update;
    this.#merge(call, call.told === undefined ? update : rest);
    this.#tell(call, out);
    const said = textIn(call.content);
    // It was about what it would do.
    call.content = [];
    const asked = {
      ...call,
      input: unready(rawInput) ? call.input : (rawInput ?? call.input),
      title: text(title) ?? call.title,
      told: undefined,
    };
    return { callId: call.id, parent: call.parent, said, diffs: call.diffs, ...this.#describe(asked) };
  }

  /** The answer was yes: from here on, its content is output. */
  allowed(callId: string): void {
    const call = this.#calls.get(callId);
    if (call !== undefined) call.runs = true;
  }

  /** The answer was no, or none came any more, and the agent says nothing more of it. */
  denied(callId: string, reason: "denied" | "cancelled" = "denied"): AgentEventOf<"tool.failed"> | undefined {
    const call = this.#calls.get(callId);
    if (call === undefined || call.ended) return undefined;
    call.ended = true;
    const { parent } = call;
    const message = reason === "denied" ? "It was not allowed." : "It was called off.";
    return { type: "tool.failed", callId, error: { message }, reason, parent };
  }

  /** The answer was all that comes of it. */
  settled(callId: string, allowed: boolean): AgentEventOf<"tool.failed" | "tool.completed"> | undefined {
    const call = this.#calls.get(callId);
    if (!allowed || call === undefined || call.ended) return this.denied(callId);
    call.ended = true;
    const output = { text: "", bytes: 0, kept: 0 };
    return { type: "tool.completed", callId, output, parent: call.parent };
  }

  /** What was announced and never came to anything is told at least. */
  turnEnded(out: Out): void {
    for (const call of this.#calls.values()) if (call.told === undefined) this.#tell(call, out);
    this.#calls.clear();
    this.#otherIds.clear();
  }

  #find(update: JsonObject, parent: string | undefined): Call | undefined {
    const given = text(update["toolCallId"]);
    if (given === undefined) return undefined;
    const id = this.#otherIds.get(given) ?? this.#idOf(given, update);
    let call = this.#calls.get(id);
    if (call === undefined) {
      call = {
        id,
        parent,
        name: undefined,
        kind: undefined,
        title: undefined,
        announced: undefined,
        input: undefined,
        locations: [],
        content: [],
        diffs: [],
        meta: {},
        runs: false,
        told: undefined,
        shown: "",
        ended: false,
      };
      this.#calls.set(id, call);
    }
    return call;
  }

  /** A call that is asked about under another id is told under the one that came first. */
  #idOf(given: string, update: JsonObject): string {
    const { sameCall } = this.#quirks;
    if (sameCall === undefined || this.#calls.has(given)) return given;
    const named = new Set(this.#otherIds.values());
    const id = sameCall(
      update,
      [...this.#calls.values()].filter((call) => !named.has(call.id)),
    );
    if (id === undefined || !this.#calls.has(id)) return given;
    this.#otherIds.set(given, id);
    return id;
  }

  #isUnready(call: Call): boolean {
    return unready(call.input) || this.#quirks.unready?.(call) === true;
  }

  #merge(call: Call, update: JsonObject): void {
    const { content } = this.#quirks;
    const items = update["content"];
    merge(
      call,
      content === undefined || !Array.isArray(items) ? update : { ...update, content: content(records(items)) },
    );
  }

  #describe(call: Call): Described {
    const told = toolOf(
      call satisfies AcpCall,
      call.diffs.map(({ path }) => path),
      this.#quirks,
    );
    // What a call is does not change once it was told.
    const tool = { ...told, tool: call.told?.tool ?? told.tool, nativeName: call.told?.nativeName ?? told.nativeName };
    return {
      ...tool,
      kind: call.kind ?? toolKinds[tool.tool],
      title: titleFor(tool, call.title, this.#cwd),
      rawInput: (unready(call.input) ? tool.given : undefined) ?? call.input ?? tool.given ?? {},
      locations: call.locations.length > 0 ? call.locations : tool.locations?.map((place) => ({ ...place })),
    };
  }

  /** Starts the call, or tells what became known since. */
  #tell(call: Call, out: Out): void {
    const before = call.told;
    const now = this.#describe(call);
    call.told = now;
    const { id: callId, parent } = call;
    const { tool, nativeName, kind, title, rawInput: input, locations } = now;
    if (before === undefined) {
      out.push({ type: "tool.started", callId, tool, nativeName, kind, title, input, locations, parent });
      return;
    }
    const progress: AgentEventOf<"tool.progress"> = { type: "tool.progress", callId, parent };
    if (title !== before.title) progress.title = title;
    if (!isDeepStrictEqual(input, before.rawInput)) progress.input = input;
    if (!isDeepStrictEqual(locations, before.locations)) progress.locations = locations;
    if (Object.keys(progress).length > 3) out.push(progress);
  }

  /** Content is told whole each time; a further piece is what it has more than before. */
  #progress(call: Call, out: Out): void {
    if (!call.runs) return;
    const said = textIn(call.content);
    if (said.length <= call.shown.length || !said.startsWith(call.shown)) return;
    const output = said.slice(call.shown.length);
    call.shown = said;
    out.push({ type: "tool.progress", callId: call.id, output, parent: call.parent });
  }

  #end(call: Call, status: string, rawOutput: unknown, cancelling: boolean, out: Out): void {
    call.ended = true;
    const { id: callId, parent } = call;
    const { text: put, content, exitCode } = outcomeOf(call.content, rawOutput);
    const said = this.#quirks.output?.(put) ?? put;
    const calledOff = cancelling && this.#quirks.calledOff?.(said) === true;
    const undone = isRecord(rawOutput) ? this.#quirks.undone?.(rawOutput) : undefined;
    if (undone !== undefined) {
      const reason = cancelling ? "cancelled" : undone.reason;
      out.push({ type: "tool.failed", callId, error: { message: undone.message }, reason, parent });
      return;
    }
    if (status !== "completed" || calledOff) {
      const error: AgentEventOf<"tool.failed">["error"] = { message: failureIn(call.content, rawOutput) };
      if (exitCode !== undefined) error.exitCode = exitCode;
      const reason = status === "cancelled" || cancelling ? "cancelled" : "error";
      out.push({ type: "tool.failed", callId, error, reason, parent });
      return;
    }
    const bytes = Buffer.byteLength(said);
    const output: AgentEventOf<"tool.completed">["output"] = { text: said, bytes, kept: bytes };
    if (content.length > 0) output.content = content;
    out.push({ type: "tool.completed", callId, output, exitCode, parent });
    out.push(...changesOf(call.diffs, { callId, parent, deletes: call.told?.tool === "delete" }, this.#cwd));
  }
}

function merge(call: Call, update: JsonObject): void {
  call.meta = isRecord(update["_meta"]) ? update["_meta"] : call.meta;
  call.name ??= nameIn(update, call.meta);
  call.kind = kindOf(update["kind"]) ?? call.kind;
  call.title = text(update["title"]) ?? call.title;
  call.announced ??= call.title;
  call.input = update["rawInput"] ?? call.input;
  if (Array.isArray(update["locations"])) call.locations = locationsOf(records(update["locations"]));
  if (!Array.isArray(update["content"])) return;
  call.content = records(update["content"]);
  const diffs = diffsIn(call.content);
  if (diffs.length > 0) call.diffs = diffs;
}

/** Announced while the model still writes its input, which is there and says nothing yet. */
function unready(input: unknown): boolean {
  return isRecord(input) && Object.keys(input).every((key) => key === "cwd");
}

export interface Outcome {
  readonly text: string;
  readonly content: Content[];
  readonly exitCode: number | undefined;
}

export function outcomeOf(items: readonly JsonObject[], rawOutput: unknown): Outcome {
  const blocks = items.filter((item) => item["type"] === "content").map((item) => record(item["content"]));
  return {
    text: rawText(rawOutput) ?? textIn(items),
    content: blocks.filter((block) => block["type"] !== "text").flatMap((block) => contentOf(block) ?? []),
    exitCode: exitCodeIn(record(rawOutput)),
  };
}

/** The text among a call's content. */
export function textIn(items: readonly JsonObject[]): string {
  const texts = items.map((item) => (item["type"] === "content" ? record(item["content"])["text"] : undefined));
  return texts.filter((said) => typeof said === "string").join("\n");
}

/** Why it failed, in its own words. */
export function failureIn(items: readonly JsonObject[], rawOutput: unknown): string {
  const { error, message } = record(rawOutput);
  return (
    firstText(rawOutput, error, record(error)["message"], message, textIn(items), rawText(rawOutput)) ??
    "The tool failed and did not say why."
  );
}

function rawText(rawOutput: unknown): string | undefined {
  if (!isRecord(rawOutput)) return firstText(rawOutput);
  const { output, text, stdout, stderr, content, result } = rawOutput;
  const streams = [stdout, stderr].filter((said) => typeof said === "string");
  const printed = streams.length === 0 ? undefined : streams.filter((said) => said !== "").join("\n");
  const texts = [output, text, printed, content, result].filter((said) => typeof said === "string");
  // Nothing put out is an output too.
  return firstText(...texts) ?? texts[0];
}

function exitCodeIn(rawOutput: JsonObject): number | undefined {
  const { exitCode, exit_code, metadata, contents } = rawOutput;
  const nested = [record(metadata), ...records(contents)];
  const codes = [exitCode, exit_code, ...nested.flatMap((one) => [one["exitCode"], one["exit"]])];
  return codes.map(number).find((code) => code !== undefined);
}
