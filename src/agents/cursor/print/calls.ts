/** Tool calls of print mode, from their start to their result, in the newer and the older shape of the stream. */
import type { Tool } from "../../../events/tools.ts";
import type { AgentEvent } from "../../../events/types.ts";
import { isRecord, number, parseJson, record, text } from "../../../protocols/json.ts";
import type { JsonObject } from "../../../protocols/json.ts";
import { cursorCall, cursorTool, editTool, plainName } from "../tools.ts";
import { endOf, filesChanged, isNewFile, outcomeOf, planIn } from "./results.ts";

/** Numbers of 64 bits come as text. */
export function wholeNumber(value: unknown): number | undefined {
  return number(typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value);
}

/** A call as one message tells it. */
export interface ToldCall {
  readonly nativeName: string;
  /** Older versions have none. */
  readonly id?: string | undefined;
  readonly args?: JsonObject | undefined;
  readonly result?: unknown;
  readonly startedMs?: unknown;
  readonly completedMs?: unknown;
}

interface OpenCall {
  readonly callId: string;
  readonly nativeName: string;
  readonly args: JsonObject;
  /** Undefined while it is not known whether the call edits a file or writes one; then its start is told with its end. */
  tool: Tool | undefined;
}

export class PrintCalls {
  readonly #cwd: string;
  readonly #prefix: string;
  readonly #open = new Map<string, OpenCall>();
  readonly #ended = new Set<string>();
  #count = 0;

  constructor(cwd: string, prefix: string) {
    this.#cwd = cwd;
    this.#prefix = prefix;
  }

  started(told: ToldCall): AgentEvent[] {
    if (told.id !== undefined && (this.#open.has(told.id) || this.#ended.has(told.id))) return [];
    const call = this.#begin(told);
    return call.tool === undefined ? [] : [this.#startOf(call)];
  }

  ended(told: ToldCall): AgentEvent[] {
    if (told.id !== undefined && this.#ended.has(told.id)) return [];
    const known = this.#find(told);
    // A rejected web search comes without its start.
    const call = known ?? this.#begin(told);
    const { callId } = call;
    this.#open.delete(callId);
    this.#ended.add(callId);
    const outcome = outcomeOf(told.result);
    const { facts } = outcome;
    const untold = known === undefined || known.tool === undefined;
    const tool = (call.tool ??= outcome.reason === undefined && isNewFile(facts) ? "write" : "edit");
    const duration = (wholeNumber(told.completedMs) ?? NaN) - (wholeNumber(told.startedMs) ?? NaN);
    const done = { callId, tool, args: { ...call.args, ...told.args }, facts };
    const changes = () => (tool === "plan" ? planIn(done) : filesChanged(done, this.#cwd));
    return [
      ...(untold ? [this.#startOf(call)] : []),
      endOf(callId, outcome, duration >= 0 ? duration : undefined),
      ...(outcome.reason === undefined ? changes() : []),
    ];
  }

  /** Tells the starts that were held back; the core ends those calls. */
  turnEnded(): AgentEvent[] {
    const untold = [...this.#open.values()].filter(({ tool }) => tool === undefined);
    this.#open.clear();
    return untold.map((call) => this.#startOf(call));
  }

  #begin({ nativeName, id, args = {} }: ToldCall): OpenCall {
    const tool = plainName(nativeName) === "edit" ? editTool(args) : cursorTool(nativeName);
    const callId = id ?? `${this.#prefix}-c${++this.#count}`;
    const call: OpenCall = { callId, nativeName, args, tool };
    this.#open.set(callId, call);
    return call;
  }

  /** Without an id: the oldest open call of that name. */
  #find({ id, nativeName }: ToldCall): OpenCall | undefined {
    if (id !== undefined) return this.#open.get(id);
    return [...this.#open.values()].find((call) => call.nativeName === nativeName);
  }

  #startOf({ callId, nativeName, args, tool = "edit" }: OpenCall): AgentEvent {
    const { mcp: _, ...call } = cursorCall(nativeName, args, this.#cwd, tool);
    return { type: "tool.started", callId, ...call };
  }
}

const ids = ["call_id", "callId", "toolCallId", "tool_call_id"];

/** `{ tool_call: { <x>ToolCall: { args, result }, toolCallId, ... } }`; undefined where it names no tool. */
export function toldCall(message: JsonObject): ToldCall | undefined {
  const call = record(message["tool_call"]);
  const id = ids.map((name) => text(message[name]) ?? text(call[name])).find((found) => found !== undefined);
  const times = { startedMs: call["startedAtMs"], completedMs: call["completedAtMs"] };
  const key = Object.keys(call).find((name) => name.endsWith("ToolCall"));
  if (key !== undefined) {
    const { args, result } = record(call[key]);
    return { nativeName: key, id, args: args === undefined ? undefined : record(args), result, ...times };
  }
  const { name, arguments: given, result } = record(call["function"]);
  const nativeName = text(name);
  if (nativeName === undefined) return undefined;
  // Arguments of a function are JSON in a text.
  const args = typeof given === "string" ? (parseJson(given) ?? { input: given }) : given;
  return { nativeName, id, args: args === undefined ? undefined : record(args), result, ...times };
}

/**
 * Versions of 2025: `{ type: "tool_call", subtype, tool, args, result }`, where the tool is a name, or an object with one. There is no id:
 * a call is paired with its end by its name, in order.
 */
export function oldCall(message: JsonObject): ToldCall | undefined {
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

/** By the type of a query without `Query` at its end: the tool it is about. */
const queriedTools: ReadonlyMap<string, string> = new Map([
  ["webFetchRequest", "webFetchToolCall"],
  ["webSearchRequest", "webSearchToolCall"],
  ["askQuestionInteraction", "askQuestionToolCall"],
  ["createPlanRequest", "createPlanToolCall"],
]);

interface Query {
  readonly type: string;
  readonly number: unknown;
  readonly call: ToldCall;
  answer?: JsonObject;
}

/**
 * Queries that Cursor asks itself in print mode, where nobody can be asked. Mostly the call is told too; of a search that was rejected
 * before it began, the query is all that tells of it.
 */
export class PrintQueries {
  readonly #queries: Query[] = [];
  /** The names of the calls that were told, by their ids. */
  readonly #calls = new Map<string, string>();
  /** Queries of unknown types without an answer yet. */
  readonly #strange = new Set<string>();

  /** False for a query of an unknown type, and true for its answer: that is one strange thing, and not two. */
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

  /** Takes note of calls that were told, and returns the events. */
  heard(events: AgentEvent[]): AgentEvent[] {
    for (const event of events) if (event.type === "tool.started") this.#calls.set(event.callId, event.nativeName);
    return events;
  }

  /** At the end of the turn: the calls that only a query told of. One without a result was allowed, or never answered. */
  untold(): ToldCall[] {
    const unnamed = this.#queries.splice(0).filter(({ call }) => call.id === undefined || !this.#calls.delete(call.id));
    // A query may have no id, or another one than its call: then the name pairs them.
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
