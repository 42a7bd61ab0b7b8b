/** Tool calls, from when they start to what came of them. */
import { record, text } from "../../../drivers/stream-json/read.ts";
import type { Wire } from "../../../drivers/stream-json/read.ts";
import type { Tool } from "../../../events/tools.ts";
import type { AgentEvent } from "../../../events/types.ts";
import { cursorCall, cursorTool, editTool, plainName } from "../tools.ts";
import { isNewFile, filesChanged, planIn } from "./print-changes.ts";
import { endOf, outcomeOf } from "./print-results.ts";
import type { Outcome } from "./print-results.ts";
import { wholeNumber } from "./whole-number.ts";

/** A call as one message tells it, in whichever shape. */
export interface ToldCall {
  readonly nativeName: string;
  /** The program's own; older versions have none. */
  readonly id?: string | undefined;
  readonly args?: Wire | undefined;
  readonly result?: unknown;
  readonly startedMs?: unknown;
  readonly completedMs?: unknown;
}

interface Open {
  readonly callId: string;
  readonly nativeName: string;
  readonly args: Wire;
  /** Undefined as long as nobody knows whether it edits a file or writes one; its start is told with its end then. */
  tool: Tool | undefined;
}

export class PrintCalls {
  readonly #cwd: string;
  readonly #prefix: string;
  readonly #open = new Map<string, Open>();
  /** Ids that have had their end: said again, it is no news. */
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
    // A rejected search of the web comes without its start.
    const call = known ?? this.#begin(told);
    this.#open.delete(call.callId);
    this.#ended.add(call.callId);
    const outcome = outcomeOf(told.result);
    const untold = known === undefined || known.tool === undefined;
    const tool = (call.tool ??= outcome.reason === undefined && isNewFile(outcome.facts) ? "write" : "edit");
    const duration = (wholeNumber(told.completedMs) ?? NaN) - (wholeNumber(told.startedMs) ?? NaN);
    return [
      ...(untold ? [this.#startOf(call)] : []),
      endOf(call.callId, outcome, duration >= 0 ? duration : undefined),
      ...this.#changes({ ...call, tool, args: { ...call.args, ...told.args } }, outcome),
    ];
  }

  /** The turn is over: what was never told to have begun is told now, and the core ends it with what it knows. */
  turnEnded(): AgentEvent[] {
    const untold = [...this.#open.values()].filter(({ tool }) => tool === undefined);
    this.#open.clear();
    return untold.map((call) => this.#startOf(call));
  }

  #begin({ nativeName, id, args = {} }: ToldCall): Open {
    const named = cursorTool(nativeName);
    const tool = plainName(nativeName) === "edit" ? editTool(args) : named;
    const callId = id ?? `${this.#prefix}-c${++this.#count}`;
    const call: Open = { callId, nativeName, args, tool };
    this.#open.set(callId, call);
    return call;
  }

  /** Without an id: the oldest of its name that is still open. */
  #find({ id, nativeName }: ToldCall): Open | undefined {
    if (id !== undefined) return this.#open.get(id);
    return [...this.#open.values()].find((call) => call.nativeName === nativeName);
  }

  #startOf({ callId, nativeName, args, tool = "edit" }: Open): AgentEvent {
    const { mcp: _, ...call } = cursorCall(nativeName, args, this.#cwd, tool);
    return { type: "tool.started", callId, ...call };
  }

  #changes(call: Open & { readonly tool: Tool }, { reason, facts }: Outcome): AgentEvent[] {
    if (reason !== undefined) return [];
    return call.tool === "plan" ? planIn({ args: call.args, facts }) : filesChanged({ ...call, facts }, this.#cwd);
  }
}

const ids = ["call_id", "callId", "toolCallId", "tool_call_id"];

/** `{ tool_call: { <x>ToolCall: { args, result }, toolCallId, ... } }`; undefined where it names no tool. */
export function toldCall(message: Wire): ToldCall | undefined {
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
  return nativeName === undefined ? undefined : { nativeName, id, args: argumentsIn(given), result, ...times };
}

/** Of a function they are JSON in a text. */
function argumentsIn(given: unknown): Wire | undefined {
  if (typeof given !== "string") return given === undefined ? undefined : record(given);
  try {
    return record(JSON.parse(given));
  } catch {
    return { input: given };
  }
}
