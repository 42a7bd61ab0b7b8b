/**
 * Versions of 2025 had the tool at the top of the message and no id of the call: `{ type: "tool_call", subtype, tool, args, result }`, where the
 * tool is a name, or an object with one. A call is paired with its end by its name, in order.
 */
import { isRecord, record, text } from "../../../drivers/stream-json/read.ts";
import type { Wire } from "../../../drivers/stream-json/read.ts";
import type { ToldCall } from "./print-calls.ts";

export function oldCall(message: Wire): ToldCall | undefined {
  const { tool } = message;
  const inside = record(tool);
  const nativeName = text(tool) ?? text(inside["name"]) ?? text(inside["type"]) ?? text(message["tool_name"]);
  if (nativeName === undefined) return undefined;
  const first = (...names: string[]): unknown =>
    names.map((name) => message[name] ?? inside[name]).find((value) => value !== undefined);
  const args = first("args", "arguments", "input", "parameters");
  return {
    nativeName,
    args: isRecord(args) ? args : undefined,
    result: resultOf(message["subtype"], first("result", "output"), first("error")),
  };
}

/** Of a call that failed or was cancelled, in the words of the newer shape. */
function resultOf(subtype: unknown, result: unknown, error: unknown): unknown {
  if (subtype === "cancelled" || subtype === "rejected")
    return { [subtype]: { reason: text(error) ?? text(result) ?? "" } };
  if (subtype === "error" || subtype === "failed" || error !== undefined)
    return { error: text(error) ?? (isRecord(error) ? error : { message: text(result) ?? "" }) };
  return result;
}
