/** Calls of tools in the stream of a run: each begins once, ends once, and says which file it changed. */
import { list, named, record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import type { AgentEvent } from "../../events/types.ts";
import { workspacePath } from "../shared/workspace-path.ts";
import { resultOf } from "./results.ts";
import type { Result } from "./results.ts";
import { callOf, pathIn, toolOf } from "./tools.ts";

const planStatus: Readonly<Record<string, "pending" | "in_progress" | "completed">> = {
  pending: "pending",
  in_progress: "in_progress",
  completed: "completed",
  cancelled: "completed",
};

export class Calls {
  readonly #cwd: string;
  /** What each was told to do, while it runs. */
  readonly #running = new Map<string, unknown>();
  readonly #ended = new Set<string>();

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  take(wire: Wire): AgentEvent[] {
    const callId = text(wire["callId"]);
    const name = text(wire["name"]);
    if (callId === undefined || name === undefined)
      return [notice("unparsed", `A tool call has no ${callId === undefined ? "id" : "name"}.`)];
    if (this.#ended.has(callId)) return [];
    const status = text(wire["status"]);
    const out = this.#begin(callId, name, wire);
    if (status === "running" || status === "pending") return out;
    if (status !== "completed" && status !== "error")
      out.push(notice("unparsed", `A tool call is ${named(wire["status"])}.`));
    return [...out, ...this.#end(callId, name, wire, status === "error")];
  }

  #begin(callId: string, name: string, wire: Wire): AgentEvent[] {
    if (this.#running.has(callId)) return [];
    this.#running.set(callId, wire["args"]);
    const out: AgentEvent[] = [{ type: "tool.started", callId, ...callOf(name, wire["args"], this.#cwd) }];
    if (record(wire["truncated"])["args"] === true)
      out.push(notice("truncated", `What ${name} was told is too long for the service to pass on.`));
    return out;
  }

  #end(callId: string, name: string, wire: Wire, failed: boolean): AgentEvent[] {
    const input = record(wire["args"] ?? this.#running.get(callId));
    this.#running.delete(callId);
    this.#ended.add(callId);
    const result = resultOf(wire["result"]);
    const exit = result.exitCode === undefined ? {} : { exitCode: result.exitCode };
    if (failed || !result.ok) {
      const message = result.text || "It failed, and the service does not say why.";
      const reason = result.rejected ? "denied" : "error";
      return [{ type: "tool.failed", callId, reason, error: { message, ...exit } }];
    }
    const bytes = Buffer.byteLength(result.text);
    const output = { text: result.text, bytes, kept: bytes };
    const out: AgentEvent[] = [
      { type: "tool.completed", callId, output, ...exit },
      ...this.#came(callId, name, input, result),
    ];
    if (record(wire["truncated"])["result"] === true)
      out.push(notice("truncated", `What ${name} gave is too long for the service to pass on.`));
    return out;
  }

  /** What it did beside giving something back. */
  #came(callId: string, name: string, input: Wire, { fields }: Result): AgentEvent[] {
    const tool = toolOf(name);
    const path = text(fields["path"]) ?? pathIn(input);
    if (tool === "plan" && name !== "create_plan") return planOf(input);
    if (path === undefined || (tool !== "write" && tool !== "edit" && tool !== "delete")) return [];
    const before = fields["beforeFullFileContent"];
    const fresh = tool === "write" ? typeof before !== "string" || before === "" : before === "";
    const op = tool === "delete" ? "delete" : fresh ? "create" : "modify";
    const diff = text(fields["diffString"]);
    return [
      { type: "file.changed", path: workspacePath(path, this.#cwd), op, callId, ...(diff !== undefined && { diff }) },
    ];
  }
}

function planOf(input: Wire): AgentEvent[] {
  const entries = list(input["todos"]).flatMap((one) => {
    const { content, status } = record(one);
    const words = text(content);
    return words === undefined ? [] : [{ text: words, status: planStatus[text(status) ?? ""] ?? "pending" }];
  });
  return entries.length === 0 ? [] : [{ type: "plan.updated", entries }];
}

const notice = (code: string, message: string): AgentEvent => ({ type: "notice", level: "warning", code, message });
