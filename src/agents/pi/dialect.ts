/** pi's words for requests and answers: commands and responses of ours, dialogs of its extensions. */
import type { Dialect } from "../../drivers/stream-json/index.ts";
import { record, text } from "../../drivers/stream-json/read.ts";

/** Those that wait for an answer; the others only show something. */
const dialogs: ReadonlySet<unknown> = new Set(["select", "confirm", "input", "editor"]);

export const dialect: Dialect = {
  fromWire(message) {
    const id = text(message["id"]);
    if (id === undefined) return undefined;
    if (message["type"] === "response") {
      const subtype = message["success"] === true ? "success" : "error";
      const response = { subtype, request_id: id, response: message["data"], error: message["error"] };
      return { type: "control_response", response };
    }
    if (message["type"] !== "extension_ui_request" || !dialogs.has(message["method"])) return undefined;
    return { type: "control_request", request_id: id, request: { ...message, subtype: message["method"] } };
  },
  toWire(message) {
    if (message["type"] === "control_request") {
      const { subtype, ...payload } = record(message["request"]);
      return { ...payload, id: message["request_id"], type: subtype };
    }
    const { request_id: id, subtype, response } = record(message["response"]);
    const type = "extension_ui_response";
    return subtype === "success" ? { ...record(response), type, id } : { type, id, cancelled: true };
  },
};
