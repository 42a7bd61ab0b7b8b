/**
 * What Cursor asks itself in print mode, where nobody can be asked. Mostly the call it is about is told too; where it is not, as of a search
 * that was rejected before it began, the query is all that tells of it.
 */
import { isRecord, record, text } from "../../../drivers/stream-json/read.ts";
import type { Wire } from "../../../drivers/stream-json/read.ts";
import type { AgentEvent } from "../../../events/types.ts";
import { plainName } from "../tools.ts";
import type { ToldCall } from "./print-calls.ts";

/** By the type of a query without `Query` at its end: the tool it is about. */
const tools: ReadonlyMap<string, string> = new Map([
  ["webFetchRequest", "webFetchToolCall"],
  ["webSearchRequest", "webSearchToolCall"],
  ["askQuestionInteraction", "askQuestionToolCall"],
  ["createPlanRequest", "createPlanToolCall"],
]);

interface Query {
  readonly type: string;
  readonly number: unknown;
  readonly call: ToldCall;
  /** Undefined as long as it is not answered. */
  answer?: Wire;
}

export class PrintQueries {
  readonly #queries: Query[] = [];
  /** The names of the calls that were told, by their ids. */
  readonly #calls = new Map<string, string>();
  /** Of types that nobody knows, and not answered yet. */
  readonly #strange = new Set<string>();

  /** False for a query that nobody knows, and true for the answer to it: it is one strange thing, and not two. */
  told(message: Wire): boolean {
    const { subtype } = message;
    const [query, response] = [record(message["query"]), record(message["response"])];
    const type = text(message["query_type"])?.replace(/Query$/, "") ?? "";
    const nativeName = tools.get(type);
    if (nativeName !== undefined && subtype === "request") this.#asked(type, nativeName, query);
    else if (nativeName !== undefined && subtype === "response") this.#answered(type, nativeName, response);
    else if (subtype === "response") return this.#strange.delete(`${type} ${String(response["id"])}`);
    else {
      this.#strange.add(`${type} ${String(query["id"])}`);
      return false;
    }
    return true;
  }

  /** What was told of calls, which is handed back. */
  heard(events: AgentEvent[]): AgentEvent[] {
    for (const event of events) if (event.type === "tool.started") this.#calls.set(event.callId, event.nativeName);
    return events;
  }

  /** The turn is over: the calls that only a query told of. One without a result was allowed, or never answered. */
  untold(): ToldCall[] {
    const unnamed = this.#queries.splice(0).filter(({ call }) => call.id === undefined || !this.#calls.delete(call.id));
    // The id of a query may be none, or another than that of its call.
    return unnamed.filter(({ call }) => !this.#takeCall(plainName(call.nativeName))).map(callOf);
  }

  #asked(type: string, nativeName: string, query: Wire): void {
    const inside = record(query[`${type}Query`]);
    const args = record(inside["args"]);
    const id = text(inside["toolCallId"]) ?? text(args["toolCallId"]);
    this.#queries.push({ type, number: query["id"], call: { nativeName, id, args } });
  }

  #answered(type: string, nativeName: string, response: Wire): void {
    const number = response["id"];
    let query = this.#queries.find((one) => one.answer === undefined && one.type === type && one.number === number);
    if (query === undefined) this.#queries.push((query = { type, number, call: { nativeName } }));
    query.answer = record(response[`${type}Response`]);
  }

  #takeCall(wanted: string): boolean {
    const [id] = [...this.#calls].find(([, name]) => name === wanted) ?? [];
    return id !== undefined && this.#calls.delete(id);
  }
}

function callOf({ call, answer }: Query): ToldCall {
  if (answer === undefined || answer["approved"] !== undefined) return call;
  return { ...call, result: isRecord(answer["result"]) ? answer["result"] : answer };
}
