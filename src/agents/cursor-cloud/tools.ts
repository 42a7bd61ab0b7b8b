/** Tool calls of a run: each starts once, ends once, and reports the file it changed. */
import { toolForName } from "../../events/aliases.ts";
import { displayPath } from "../../events/paths.ts";
import type { AgentEvent } from "../../events/types.ts";
import { named, number, record, text, type JsonObject } from "../../protocols/json.ts";
import { CallTracker, endOf, type OpenCall } from "../shared/calls.ts";
import { planIn, resultOf } from "../shared/cursor/results.ts";
import { cursorCall, cursorTool, type CursorCall } from "../shared/cursor/tools.ts";

export function callOf(nativeName: string, input: unknown, cwd: string): CursorCall {
  const known = cursorTool(nativeName);
  return cursorCall(nativeName, input, cwd, known === "other" ? toolForName(nativeName) : known);
}

export class Calls {
  readonly #cwd: string;
  readonly #calls = new CallTracker<CursorCall>();

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  take(wire: JsonObject): AgentEvent[] {
    const [callId, name, status] = [text(wire["callId"]), text(wire["name"]), text(wire["status"])];
    if (callId === undefined || name === undefined)
      return [notice("unparsed", `A tool call has no ${callId === undefined ? "id" : "name"}.`)];
    const out = this.#calls.start(callId, callOf(name, wire["args"], this.#cwd));
    const { args, result } = record(wire["truncated"]);
    if (out.length > 0 && args === true)
      out.push(notice("truncated", `The input of ${name} was too long, so the service left it out.`));
    if (status === "running" || status === "pending") return out;
    const { open } = this.#calls.close(callId) ?? {};
    if (open === undefined) return out;
    if (status !== "completed" && status !== "error")
      out.push(notice("unparsed", `A tool call is ${named(wire["status"])}.`));
    out.push(...this.#end(open, wire, status === "error"));
    if (result === true && out.at(-1)?.type !== "tool.failed")
      out.push(notice("truncated", `The output of ${name} was too long, so the service left it out.`));
    return out;
  }

  #end({ callId, call }: OpenCall<CursorCall>, wire: JsonObject, isError: boolean): AgentEvent[] {
    const { said, facts, reason } = resultOf(wire["result"]);
    const exitCode = number(facts["exitCode"]) ?? number(facts["exit_code"]);
    const bytes = Buffer.byteLength(said);
    const output = { text: said, bytes, kept: bytes };
    if (isError || reason !== undefined || (exitCode ?? 0) !== 0) {
      const message = said || "It failed without a message.";
      const error = { message, ...(exitCode !== undefined && { exitCode }) };
      return [endOf(callId, { output, failed: { reason: reason ?? "error", error } })];
    }
    const input = wire["args"] === undefined ? call.input : record(wire["args"]);
    const changes = call.tool === "plan" ? planIn(input, facts) : this.#changes(callId, call, input, facts);
    return [endOf(callId, { output, exitCode }), ...changes];
  }

  #changes(callId: string, { tool }: CursorCall, input: JsonObject, facts: JsonObject): AgentEvent[] {
    const given = text(facts["path"]) ?? text(input["path"]) ?? text(input["target_file"]) ?? text(input["file_path"]);
    if (given === undefined || (tool !== "write" && tool !== "edit" && tool !== "delete")) return [];
    const before = facts["beforeFullFileContent"];
    const fresh = before === "" || (tool === "write" && typeof before !== "string");
    const op = tool === "delete" ? "delete" : fresh ? "create" : "modify";
    const diff = text(facts["diffString"]);
    return [{ type: "file.changed", path: displayPath(given, this.#cwd), op, callId, diff }];
  }
}

const notice = (code: string, message: string): AgentEvent => ({ type: "notice", level: "warning", code, message });
