/** Tracks tool calls from their announcement to their result. An update replaces the fields it has and leaves the others unchanged. */
import { isDeepStrictEqual } from "node:util";
import { toolKinds, type ToolKind } from "../../events/tools.ts";
import type { AgentEvent, AgentEventOf, Content, Location } from "../../events/types.ts";
import type { Out } from "../json-rpc/index.ts";
import { firstText, isRecord, number, record, records, text, type JsonObject } from "../json.ts";
import { changesOf, contentOf, diffsIn, locationsOf, type Diff } from "./content.ts";
import type { AcpCall, AcpAgentOptions, AcpTool } from "./options.ts";
import { kindOf, nameIn, titleFor, toolOf } from "./tools.ts";

/** A call described in the terms of Reins' events. */
interface Described extends AcpTool {
  readonly kind: ToolKind;
  readonly title: string;
  readonly rawInput: unknown;
  readonly locations: Location[] | undefined;
}

/** The call for which an agent requests permission. */
export interface RequestedPermission extends Described {
  readonly callId: string;
  readonly parent: string | undefined;
  /** The text content of the request: why the agent asks. */
  readonly said: string;
  readonly diffs: readonly Diff[];
}

type Writable<Type> = { -readonly [Name in keyof Type]: Type[Name] };

interface Call extends Writable<AcpCall> {
  readonly parent: string | undefined;
  announced: string | undefined;
  locations: Location[];
  content: readonly JsonObject[];
  /** The most recent diffs. Kept separately because an agent may replace the content by text when the call completes. */
  diffs: readonly Diff[];
  /** True once the call is known to run. Until then its content is a proposal, not output. */
  runs: boolean;
  /** The description sent with the last event; undefined until `tool.started`. */
  reported: Described | undefined;
  /** The output that was already reported. */
  shown: string;
  ended: boolean;
}

export class Calls {
  readonly #cwd: string;
  readonly #quirks: AcpAgentOptions;
  readonly #calls = new Map<string, Call>();
  /** Maps further ids of a known call to the id that came first. */
  readonly #otherIds = new Map<string, string>();

  constructor(cwd: string, quirks: AcpAgentOptions) {
    this.#cwd = cwd;
    this.#quirks = quirks;
  }

  knows(callId: unknown): boolean {
    return this.#calls.has(callId as string) || this.#otherIds.has(callId as string);
  }

  hasEnded(callId: unknown): boolean {
    const id = this.#otherIds.get(callId as string) ?? (callId as string);
    return this.#calls.get(id)?.ended === true;
  }

  /** Calls that started and have not ended. */
  open(): readonly AcpCall[] {
    return [...this.#calls.values()].filter(({ reported, ended }) => reported !== undefined && !ended);
  }

  /** Handles `tool_call` and `tool_call_update`; an update of an unknown call starts that call. Returns false when the update has no id. */
  update(update: JsonObject, parent: string | undefined, cancelling: boolean, out: Out): boolean {
    const call = this.#find(update, parent);
    if (call === undefined) return false;
    if (call.ended) return true;
    this.#merge(call, update);
    const status = update["status"];
    const over = status === "completed" || status === "failed" || status === "cancelled";
    if (status === "in_progress") call.runs = true;
    const isNew = call.reported === undefined && !over && status !== "in_progress";
    if (isNew && (unready(call.input) || this.#quirks.unready?.(call) === true)) return true;
    this.#report(call, out);
    if (over) this.#end(call, status, update["rawOutput"], cancelling, out);
    else this.#progress(call, out);
    return true;
  }

  /**
   * Handles a permission request, and starts the call if it has not started. The fields of the request win, because the answer is about
   * them; the announcement fills in the fields that the request leaves out.
   */
  asked(update: JsonObject, parent: string | undefined, out: Out): RequestedPermission | undefined {
    const call = this.#find(update, parent);
    if (call === undefined) return undefined;
    const { rawInput, title, ...rest } = update;
    this.#merge(call, call.reported === undefined ? update : rest);
    this.#report(call, out);
    const said = textIn(call.content);
    // The content so far was the proposal, not output.
    call.content = [];
    const asked = {
      ...call,
      input: unready(rawInput) ? call.input : (rawInput ?? call.input),
      title: text(title) ?? call.title,
      reported: undefined,
    };
    return { callId: call.id, parent: call.parent, said, diffs: call.diffs, ...this.#describe(asked) };
  }

  /** From now on, the content of the call is output. */
  allowed(callId: string): void {
    const call = this.#calls.get(callId);
    if (call !== undefined) call.runs = true;
  }

  /** Ends a denied call, for agents that report nothing more about it. */
  denied(callId: string, reason: "denied" | "cancelled" = "denied"): AgentEvent[] {
    const call = this.#calls.get(callId);
    if (call === undefined || call.ended) return [];
    call.ended = true;
    const message = reason === "denied" ? "It was not allowed." : "The call was cancelled.";
    return [{ type: "tool.failed", callId, error: { message }, reason, parent: call.parent }];
  }

  /** Ends a call that consisted only of its permission, such as an approval of a plan. */
  settled(callId: string, allowed: boolean): AgentEvent[] {
    const call = this.#calls.get(callId);
    if (!allowed || call === undefined || call.ended) return this.denied(callId);
    call.ended = true;
    return [{ type: "tool.completed", callId, output: { text: "", bytes: 0, kept: 0 }, parent: call.parent }];
  }

  /** Reports calls that were announced and never started, then forgets all calls. */
  turnEnded(out: Out): void {
    for (const call of this.#calls.values()) if (call.reported === undefined) this.#report(call, out);
    this.#calls.clear();
    this.#otherIds.clear();
  }

  #find(update: JsonObject, parent: string | undefined): Call | undefined {
    const given = text(update["toolCallId"]);
    if (given === undefined) return undefined;
    const id = this.#otherIds.get(given) ?? this.#idOf(given, update);
    const call = this.#calls.get(id) ?? newCall(id, parent);
    this.#calls.set(id, call);
    return call;
  }

  /** An agent may use a second id when it asks about a call. Events keep the id that came first. */
  #idOf(given: string, update: JsonObject): string {
    const { sameCall } = this.#quirks;
    if (sameCall === undefined || this.#calls.has(given)) return given;
    const named = new Set(this.#otherIds.values());
    const unnamed = [...this.#calls.values()].filter((call) => !named.has(call.id));
    const id = sameCall(update, unnamed);
    if (id === undefined || !this.#calls.has(id)) return given;
    this.#otherIds.set(given, id);
    return id;
  }

  #merge(call: Call, update: JsonObject): void {
    call.meta = isRecord(update["_meta"]) ? update["_meta"] : call.meta;
    call.name ??= nameIn(update, call.meta);
    call.kind = kindOf(update["kind"]) ?? call.kind;
    call.title = text(update["title"]) ?? call.title;
    call.announced ??= call.title;
    call.input = update["rawInput"] ?? call.input;
    if (Array.isArray(update["locations"])) call.locations = locationsOf(records(update["locations"]));
    if (!Array.isArray(update["content"])) return;
    const items = records(update["content"]);
    call.content = this.#quirks.content?.(items) ?? items;
    const diffs = diffsIn(call.content);
    if (diffs.length > 0) call.diffs = diffs;
  }

  #describe(call: Call): Described {
    const { reported } = call;
    const paths = call.diffs.map(({ path }) => path);
    const found = toolOf(call, paths, this.#quirks);
    // The tool of a call must not change after it was reported.
    const tool = { ...found, tool: reported?.tool ?? found.tool, nativeName: reported?.nativeName ?? found.nativeName };
    return {
      ...tool,
      kind: call.kind ?? toolKinds[tool.tool],
      title: titleFor(tool, call.title, this.#cwd),
      rawInput: (unready(call.input) ? tool.given : undefined) ?? call.input ?? tool.given ?? {},
      locations: call.locations.length > 0 ? call.locations : tool.locations?.map((location) => ({ ...location })),
    };
  }

  /** Sends `tool.started`, or `tool.progress` with the fields that changed since the last report. */
  #report(call: Call, out: Out): void {
    const before = call.reported;
    const now = this.#describe(call);
    call.reported = now;
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

  /** Each update has the whole content; report only the new part. */
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
    const put = rawText(rawOutput) ?? textIn(call.content);
    const said = this.#quirks.output?.(put) ?? put;
    const exitCode = exitCodeIn(record(rawOutput));
    const undone = isRecord(rawOutput) ? this.#quirks.undone?.(rawOutput) : undefined;
    const failed = status !== "completed" || (cancelling && this.#quirks.calledOff?.(said) === true);
    if (undone !== undefined || failed) {
      const message = undone?.message ?? failureIn(call.content, rawOutput);
      const error = undone === undefined && exitCode !== undefined ? { message, exitCode } : { message };
      const isCancelled = cancelling || (undone === undefined && status === "cancelled");
      const reason = isCancelled ? "cancelled" : (undone?.reason ?? "error");
      out.push({ type: "tool.failed", callId, error, reason, parent });
      return;
    }
    const bytes = Buffer.byteLength(said);
    const output: AgentEventOf<"tool.completed">["output"] = { text: said, bytes, kept: bytes };
    const content = contentIn(call.content);
    if (content.length > 0) output.content = content;
    out.push({ type: "tool.completed", callId, output, exitCode, parent });
    out.push(...changesOf(call.diffs, { callId, parent, deletes: call.reported?.tool === "delete" }, this.#cwd));
  }
}

function newCall(id: string, parent: string | undefined): Call {
  const unknown = { name: undefined, kind: undefined, title: undefined, announced: undefined, input: undefined };
  const told = { locations: [], content: [], diffs: [], meta: {}, reported: undefined, shown: "" };
  return { id, parent, ...unknown, ...told, runs: false, ended: false };
}

/** True while the model still writes the input of an announced call: the input has no field yet, except perhaps `cwd`. */
function unready(input: unknown): boolean {
  return isRecord(input) && Object.keys(input).every((key) => key === "cwd");
}

function contentIn(items: readonly JsonObject[]): Content[] {
  const blocks = items.filter((item) => item["type"] === "content").map((item) => record(item["content"]));
  return blocks.filter((block) => block["type"] !== "text").flatMap((block) => contentOf(block) ?? []);
}

function textIn(items: readonly JsonObject[]): string {
  const texts = items.map((item) => (item["type"] === "content" ? record(item["content"])["text"] : undefined));
  return texts.filter((said) => typeof said === "string").join("\n");
}

function failureIn(items: readonly JsonObject[], rawOutput: unknown): string {
  const { error, message } = record(rawOutput);
  return (
    firstText(rawOutput, error, record(error)["message"], message, textIn(items), rawText(rawOutput)) ??
    "The tool failed without a message."
  );
}

/** Returns an empty string, not undefined, when the agent reports an empty output. */
function rawText(rawOutput: unknown): string | undefined {
  if (!isRecord(rawOutput)) return firstText(rawOutput);
  const { output, text, stdout, stderr, content, result } = rawOutput;
  const streams = [stdout, stderr].filter((said) => typeof said === "string");
  const printed = streams.length === 0 ? undefined : streams.filter((said) => said !== "").join("\n");
  const texts = [output, text, printed, content, result].filter((said) => typeof said === "string");
  return firstText(...texts) ?? texts[0];
}

function exitCodeIn(rawOutput: JsonObject): number | undefined {
  const { exitCode, exit_code, metadata, contents } = rawOutput;
  const nested = [record(metadata), ...records(contents)];
  const codes = [exitCode, exit_code, ...nested.flatMap((one) => [one["exitCode"], one["exit"]])];
  return codes.map(number).find((code) => code !== undefined);
}
