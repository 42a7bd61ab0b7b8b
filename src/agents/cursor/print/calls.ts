/** Tool calls of print mode, from start to result, in the newer and the older format of the stream. */
import type { Tool } from "../../../events/tools.ts";
import type { AgentEvent } from "../../../events/types.ts";
import { isRecord, number, parseJson, record, text, type JsonObject } from "../../../protocols/json.ts";
import { CallTracker, endOf } from "../../shared/calls.ts";
import { planIn, resultOf } from "../../shared/cursor/results.ts";
import { cursorCall, cursorTool, editTool, plainName } from "../../shared/cursor/tools.ts";
import { filesChanged, isNewFile, outcomeOf } from "./results.ts";

/** 64-bit numbers come as strings. */
export function wholeNumber(value: unknown): number | undefined {
  return number(typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value);
}

export interface ReportedCall {
  readonly nativeName: string;
  /** Undefined in older versions. */
  readonly id?: string | undefined;
  readonly args?: JsonObject | undefined;
  readonly result?: unknown;
  readonly startedMs?: unknown;
  readonly completedMs?: unknown;
}

export class PrintCalls {
  readonly #cwd: string;
  readonly #prefix: string;
  readonly #calls = new CallTracker();
  /** Edits that may turn out to write a whole file. Only the result tells, so their starts are reported with their ends. */
  readonly #unsure = new Map<string, ReportedCall>();
  #count = 0;

  constructor(cwd: string, prefix: string) {
    this.#cwd = cwd;
    this.#prefix = prefix;
  }

  started(told: ReportedCall): AgentEvent[] {
    const callId = told.id ?? this.#newId();
    if (this.#calls.isKnown(callId) || this.#unsure.has(callId)) return [];
    const tool = toolOf(told);
    if (tool !== undefined) return this.#start(callId, told, tool);
    this.#unsure.set(callId, told);
    return [];
  }

  ended(told: ReportedCall): AgentEvent[] {
    const callId = told.id ?? this.#oldest(told.nativeName) ?? this.#newId();
    const result = resultOf(told.result);
    const { facts } = result;
    // A rejected web search comes without its start.
    const begun = this.#unsure.get(callId) ?? told;
    this.#unsure.delete(callId);
    const edit = result.reason === undefined && isNewFile(facts) ? "write" : "edit";
    const started = this.#start(callId, begun, toolOf(begun) ?? edit);
    const { open } = this.#calls.close(callId) ?? {};
    if (open === undefined) return [];
    const { tool, input } = open.call;
    const duration = (wholeNumber(told.completedMs) ?? NaN) - (wholeNumber(told.startedMs) ?? NaN);
    const args = { ...record(input), ...told.args };
    const changes = () =>
      tool === "plan" ? planIn(args, facts) : filesChanged({ callId, tool, args, facts }, this.#cwd);
    return [
      ...started,
      endOf(callId, { ...outcomeOf(result), durationMs: duration >= 0 ? duration : undefined }),
      ...(result.reason === undefined ? changes() : []),
    ];
  }

  /** Reports the starts that were held back; the core ends those calls. */
  turnEnded(): AgentEvent[] {
    const events = [...this.#unsure].flatMap(([callId, told]) => this.#start(callId, told, "edit"));
    this.#unsure.clear();
    this.#calls.turnEnded();
    return events;
  }

  #start(callId: string, { nativeName, args = {} }: ReportedCall, tool: Tool): AgentEvent[] {
    return this.#calls.start(callId, cursorCall(nativeName, args, this.#cwd, tool));
  }

  #newId(): string {
    return `${this.#prefix}-c${++this.#count}`;
  }

  /** The call that a message without an id ends. */
  #oldest(nativeName: string): string | undefined {
    const open = this.#calls.open.find(({ call }) => call.nativeName === plainName(nativeName));
    return open?.callId ?? [...this.#unsure].find(([, told]) => told.nativeName === nativeName)?.[0];
  }
}

/** Undefined while it is unknown whether the call edits a file or writes a new one. */
function toolOf({ nativeName, args = {} }: ReportedCall): Tool | undefined {
  return plainName(nativeName) === "edit" ? editTool(args) : cursorTool(nativeName);
}

const ids = ["call_id", "callId", "toolCallId", "tool_call_id"];

/** Parses `{ tool_call: { <x>ToolCall: { args, result }, toolCallId, ... } }`; undefined when it names no tool. */
export function toldCall(message: JsonObject): ReportedCall | undefined {
  const call = record(message["tool_call"]);
  const id = ids.map((name) => text(message[name]) ?? text(call[name])).find((found) => found !== undefined);
  const times = { startedMs: call["startedAtMs"], completedMs: call["completedAtMs"] };
  const key = Object.keys(call).find((name) => name.endsWith("ToolCall"));
  const { name, result, arguments: json, args: given = json } = record(call[key ?? "function"]);
  const nativeName = key ?? text(name);
  if (nativeName === undefined) return undefined;
  // Arguments of a function are a JSON string.
  const args = typeof given === "string" ? (parseJson(given) ?? { input: given }) : given;
  return { nativeName, id, args: args === undefined ? undefined : record(args), result, ...times };
}

/**
 * Versions of 2025: `{ type: "tool_call", subtype, tool, args, result }`, where the tool is a name or an object with
 * one. There is no id: a call is paired with its end by name, in order.
 */
export function oldCall(message: JsonObject): ReportedCall | undefined {
  const { tool, subtype } = message;
  const inside = record(tool);
  const nativeName = text(tool) ?? text(inside["name"]) ?? text(inside["type"]) ?? text(message["tool_name"]);
  if (nativeName === undefined) return undefined;
  const first = (...names: string[]): unknown =>
    names.map((name) => message[name] ?? inside[name]).find((value) => value !== undefined);
  const args = first("args", "arguments", "input", "parameters");
  const [result, error] = [first("result", "output"), first("error")];
  const told = { nativeName, args: isRecord(args) ? args : undefined };
  if (subtype === "cancelled" || subtype === "rejected")
    return { ...told, result: { [subtype]: { reason: text(error) ?? text(result) ?? "" } } };
  if (subtype !== "error" && subtype !== "failed" && error === undefined) return { ...told, result };
  return { ...told, result: { error: text(error) ?? (isRecord(error) ? error : { message: text(result) ?? "" }) } };
}

/** The tool of a query, by its type without the trailing `Query`. */
const queriedTools: ReadonlyMap<string, string> = new Map([
  ["webFetchRequest", "webFetchToolCall"],
  ["webSearchRequest", "webSearchToolCall"],
  ["askQuestionInteraction", "askQuestionToolCall"],
  ["createPlanRequest", "createPlanToolCall"],
]);

interface Query {
  readonly type: string;
  readonly number: unknown;
  readonly call: ReportedCall;
  answer?: JsonObject;
}

/**
 * Queries that Cursor asks itself in print mode, where nobody can be asked. Usually the call is reported too; for a
 * search that was rejected before it began, the query is the only report.
 */
export class PrintQueries {
  readonly #queries: Query[] = [];
  /** The names of the reported calls, by id. */
  readonly #calls = new Map<string, string>();
  /** Queries of unknown types that have no answer yet. */
  readonly #strange = new Set<string>();

  /** False for a query of an unknown type, and true for its answer, so that the two count as one unknown message. */
  told(message: JsonObject): boolean {
    const { subtype } = message;
    const [query, response] = [record(message["query"]), record(message["response"])];
    const type = text(message["query_type"])?.replace(/Query$/, "") ?? "";
    const nativeName = queriedTools.get(type);
    if (nativeName !== undefined && subtype === "request") this.#asked(type, nativeName, query);
    else if (nativeName !== undefined && subtype === "response") this.#answered(type, nativeName, response);
    else if (subtype === "response") return this.#strange.delete(`${type} ${String(response["id"])}`);
    else {
      this.#strange.add(`${type} ${String(query["id"])}`);
      return false;
    }
    return true;
  }

  /** Remembers the calls that were reported, and returns the events. */
  heard(events: AgentEvent[]): AgentEvent[] {
    for (const event of events) if (event.type === "tool.started") this.#calls.set(event.callId, event.nativeName);
    return events;
  }

  /** At the end of the turn: the calls known only from a query. A call without a result was allowed or never answered. */
  untold(): ReportedCall[] {
    const unnamed = this.#queries.splice(0).filter(({ call }) => call.id === undefined || !this.#calls.delete(call.id));
    // A query may have no id, or another one than its call; then they are paired by name.
    const unpaired = unnamed.filter(({ call }) => {
      const [id] = [...this.#calls].find(([, name]) => name === plainName(call.nativeName)) ?? [];
      return id === undefined || !this.#calls.delete(id);
    });
    return unpaired.map(({ call, answer }) => {
      if (answer === undefined || answer["approved"] !== undefined) return call;
      return { ...call, result: isRecord(answer["result"]) ? answer["result"] : answer };
    });
  }

  #asked(type: string, nativeName: string, query: JsonObject): void {
    const inside = record(query[`${type}Query`]);
    const args = record(inside["args"]);
    const id = text(inside["toolCallId"]) ?? text(args["toolCallId"]);
    this.#queries.push({ type, number: query["id"], call: { nativeName, id, args } });
  }

  #answered(type: string, nativeName: string, response: JsonObject): void {
    const number = response["id"];
    let query = this.#queries.find((one) => one.answer === undefined && one.type === type && one.number === number);
    if (query === undefined) this.#queries.push((query = { type, number, call: { nativeName } }));
    query.answer = record(response[`${type}Response`]);
  }
}
