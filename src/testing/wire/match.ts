/**
 * Matches live messages with recorded ones, in the wire formats Reins knows: stream-json's control messages, JSON-RPC, and commands with an
 * id beside their type.
 */
import { record } from "../../protocols/json.ts";

/** The types of answers, in formats whose commands have types. */
const answers: ReadonlySet<unknown> = new Set(["response", "extension_ui_response"]);

/** The id of a message that expects an answer. */
export function requestId(message: unknown): unknown {
  const { type, request_id, method, id } = record(message);
  if (type === "control_request") return request_id;
  return method === undefined && (type === undefined || answers.has(type)) ? undefined : id;
}

/** The id of the message that this one answers. */
export function answeredId(message: unknown): unknown {
  const { type, response, method, jsonrpc, id } = record(message);
  if (type === "control_response") return record(response)["request_id"];
  return (jsonrpc !== undefined && method === undefined) || answers.has(type) ? id : undefined;
}

export function withAnsweredId(message: unknown, id: unknown): unknown {
  const whole = record(message);
  if (whole["type"] === "control_response")
    return { ...whole, response: { ...record(whole["response"]), request_id: id } };
  return { ...whole, id };
}

/** True if a live message corresponds to a recorded one, whatever its content and, for a request, its id. */
export function sameKind(recorded: unknown, live: unknown): boolean {
  const answered = answeredId(recorded);
  if (answered !== undefined) return answered === answeredId(live);
  return kindOf(recorded) === kindOf(live) && answeredId(live) === undefined;
}

function kindOf(message: unknown): string {
  if (typeof message === "string") return "text";
  const { type, request, method } = record(message);
  return JSON.stringify([type, method, record(request)["subtype"]]);
}

/** An empty answer to a request; undefined if the message expects none. */
export function emptyAnswer(message: unknown): unknown {
  const id = requestId(message);
  if (id === undefined) return undefined;
  if (record(message)["type"] === "control_request")
    return { type: "control_response", response: { subtype: "success", request_id: id, response: {} } };
  const { type } = record(message);
  return type === undefined
    ? { jsonrpc: "2.0", id, result: {} }
    : { type: "response", id, command: type, success: true };
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Pairs of UUIDs that the driver generated: the recorded one and the live one. */
export function renamed(recorded: unknown, live: unknown): [string, string][] {
  if (typeof recorded === "string" && typeof live === "string")
    return uuid.test(recorded) && uuid.test(live) && recorded !== live ? [[recorded, live]] : [];
  if (typeof recorded !== "object" || recorded === null || typeof live !== "object" || live === null) return [];
  const other = new Map(Object.entries(live));
  return Object.entries(recorded).flatMap(([key, value]) => renamed(value, other.get(key)));
}
