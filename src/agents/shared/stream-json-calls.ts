/** Tool calls of Claude Code and agents derived from it, from the `tool_use` block of a message to the `tool_result` block. */
import { clipText } from "../../events/clip.ts";
import { defaultLimits } from "../../events/limits.ts";
import { displayPath } from "../../events/paths.ts";
import { toolKinds, type Tool } from "../../events/tools.ts";
import type { AgentEvent, AgentEventOf, PlanEntry } from "../../events/types.ts";
import { list, record, records, text, type JsonObject } from "../../protocols/json.ts";
import { CallTracker, endOf, type Outcome, type StoppedBy } from "./calls.ts";
import type { FileBefore } from "./file-before.ts";
import { mcpName, type ToolCall } from "./tool-call.ts";

export interface ResultFacts {
  readonly block: JsonObject;
  /** The tool's own structured result, when the line has one. */
  readonly structured: unknown;
  /** The entry of `tool_result_meta` for this call. */
  readonly meta: JsonObject;
  /** Why the call did not run, when that is known. */
  readonly stopped: StoppedBy | undefined;
}

/** A tool with an unknown name that is not an MCP tool becomes `other`, which the policy treats as able to do anything. */
export function toolIn(names: ReadonlyMap<string, Tool>, nativeName: string): Tool {
  return names.get(nativeName) ?? (mcpName(nativeName) === undefined ? "other" : "mcp");
}

export interface EndedCall {
  readonly callId: string;
  readonly nativeName: string;
  readonly input: unknown;
  readonly parent: string | undefined;
  /** The file that the call was to change, if it was read before. */
  readonly before?: FileBefore | undefined;
}

/** An agent's tool names, and the meaning of their results. */
export interface CallWords {
  describe(nativeName: string, input: unknown): ToolCall;
  outcome(result: ResultFacts): Outcome;
  fileChanged(call: EndedCall, said: string, structured: unknown): AgentEvent | undefined;
  plan(call: EndedCall, structured: unknown): AgentEvent | undefined;
  /** The call itself, when the model made it through a wrapper tool. */
  unwrapped?(nativeName: string, input: unknown): { readonly name: string; readonly input: unknown };
  /** True for a subagent that continues in the background when the turn ends. */
  outlives?(parent: string | undefined): boolean;
}

export class StreamJsonCalls extends CallTracker {
  readonly #words: CallWords;

  constructor(words: CallWords) {
    super();
    this.#words = words;
  }

  started(block: JsonObject, parent: string | undefined): AgentEvent[] {
    const callId = text(block["id"]);
    if (callId === undefined || this.isKnown(callId)) return [];
    const [given, wanted] = [text(block["name"]) ?? "unknown", block["input"] ?? {}];
    const { name, input } = this.#words.unwrapped?.(given, wanted) ?? { name: given, input: wanted };
    return this.start(callId, { ...this.#words.describe(name, input), input }, parent);
  }

  results(message: JsonObject): AgentEvent[] {
    const results = records(record(message["message"])["content"]).filter(({ type }) => type === "tool_result");
    // The structured result is a field of the line and does not say which call it belongs to.
    const structured = results.length === 1 ? message["tool_use_result"] : undefined;
    const metas = records(message["tool_result_meta"]);
    return results.flatMap((block) => {
      const meta = metas.find(({ id }) => id === block["tool_use_id"]);
      return this.ended(block, text(message["parent_tool_use_id"]), structured, meta);
    });
  }

  ended(block: JsonObject, parent: string | undefined, structured?: unknown, meta: JsonObject = {}): AgentEvent[] {
    const callId = text(block["tool_use_id"]);
    const closed = callId === undefined ? undefined : this.close(callId);
    if (callId === undefined || closed === undefined) return [];
    const { open, stopped, before, restarted } = closed;
    const outcome = this.#words.outcome({ block, structured, meta, stopped });
    const events = [...restarted, endOf(callId, outcome, parent)];
    if (outcome.failed !== undefined || open === undefined) return events;
    const { nativeName, input } = open.call;
    const call: EndedCall = { callId, nativeName, input, parent: open.parent, before };
    const file = this.#words.fileChanged(call, outcome.output.text, structured);
    // A subagent keeps its own list, which is not the plan of the session.
    const plan = call.parent === undefined ? this.#words.plan(call, structured) : undefined;
    return [...events, ...[file, plan].filter((event) => event !== undefined)];
  }

  override turnEnded(): void {
    super.turnEnded(({ parent }) => this.#words.outlives?.(parent) === true);
  }
}

/** The text of a result: a string, or the text blocks in a list of blocks. */
export function resultText(content: unknown): string {
  if (typeof content === "string") return content;
  const parts = list(content).map((part) => (record(part)["type"] === "text" ? text(record(part)["text"]) : undefined));
  return parts.filter((part) => part !== undefined).join("\n");
}

type Failed = AgentEventOf<"tool.failed">;

/** A failed result with an error message of at most `inlineBytes`. */
export function failedWith(
  said: string,
  reason: Failed["reason"],
  exitCode?: number,
): Pick<Failed, "error" | "reason"> {
  const message = clipText(said, defaultLimits.inlineBytes).text || "The tool failed without a message.";
  return { error: exitCode === undefined ? { message } : { message, exitCode }, reason };
}

/** Undefined when the tool changes no file. */
export function changedFile(
  { callId, parent }: EndedCall,
  tool: Tool,
  path: string | undefined,
  { cwd, created }: { readonly cwd: string; readonly created: boolean },
): AgentEventOf<"file.changed"> | undefined {
  if (path === undefined || toolKinds[tool] !== "edit") return undefined;
  return { type: "file.changed", path: displayPath(path, cwd), op: created ? "create" : "modify", callId, parent };
}

/** An entry of a to-do list whose text is in the field `named`; undefined when it has no text. */
export function planEntry(item: JsonObject, named = "content"): PlanEntry | undefined {
  const said = text(item[named]);
  return said === undefined ? undefined : { text: said, status: planStatus(item["status"]) ?? "pending" };
}

export function planStatus(status: unknown): PlanEntry["status"] | undefined {
  return status === "pending" || status === "in_progress" || status === "completed" ? status : undefined;
}
