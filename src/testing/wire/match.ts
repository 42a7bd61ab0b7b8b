/**
 * Which live message stands for which recorded one, on the wires we know: stream-json's control messages, JSON-RPC, and commands
 * that carry their id beside their type.
 */

type Fields = Readonly<Record<string, unknown>>;
const fields = (value: unknown): Fields => (typeof value === "object" && value !== null ? (value as Fields) : {});

/** Where commands have types, answers have these. */
const answers: ReadonlySet<unknown> = new Set(["response", "extension_ui_response"]);

/** The id of a message that wants an answer. */
export function requestId(message: unknown): unknown {
  const { type, request_id, method, id } = fields(message);
  if (type === "control_request") return request_id;
  return method === undefined && (type === undefined || answers.has(type)) ? undefined : id;
}

/** The id of the message that this one answers. */
export function answeredId(message: unknown): unknown {
  const { type, response, method, jsonrpc, id } = fields(message);
  if (type === "control_response") return fields(response)["request_id"];
  return (jsonrpc !== undefined && method === undefined) || answers.has(type) ? id : undefined;
}

/** The same answer to another request. */
export function withAnsweredId(message: unknown, id: unknown): unknown {
  const whole = fields(message);
  if (whole["type"] === "control_response")
    return { ...whole, response: { ...fields(whole["response"]), request_id: id } };
  return { ...whole, id };
}

/** Whether a live message is what was recorded, whatever its content and, for a request, its id. */
export function sameKind(recorded: unknown, live: unknown): boolean {
  const answered = answeredId(recorded);
  if (answered !== undefined) return answered === answeredId(live);
  return kindOf(recorded) === kindOf(live) && answeredId(live) === undefined;
}

function kindOf(message: unknown): string {
  if (typeof message === "string") return "text";
  const { type, request, method } = fields(message);
  return JSON.stringify([type, method, fields(request)["subtype"]]);
}

/** What an agent that has nothing to say answers; undefined where no answer is wanted. */
export function emptyAnswer(message: unknown): unknown {
  const id = requestId(message);
  if (id === undefined) return undefined;
  if (fields(message)["type"] === "control_request")
    return { type: "control_response", response: { subtype: "success", request_id: id, response: {} } };
  const { type } = fields(message);
  return type === undefined
    ? { jsonrpc: "2.0", id, result: {} }
    : { type: "response", id, command: type, success: true };
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What the driver made up itself: each recorded UUID and the one that now stands in its place. */
export function renamed(recorded: unknown, live: unknown): [string, string][] {
  if (typeof recorded === "string" && typeof live === "string")
    return uuid.test(recorded) && uuid.test(live) && recorded !== live ? [[recorded, live]] : [];
  const other = fields(live);
  return Object.entries(fields(recorded)).flatMap(([key, value]) => renamed(value, other[key]));
}
