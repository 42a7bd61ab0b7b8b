import type { EventPayload } from "../../src/events/types.ts";

/** A request for permission to edit a file. */
export const asksToEdit: EventPayload & { type: "permission.requested" } = {
  type: "permission.requested",
  requestId: "r",
  callId: "c",
  tool: "edit",
  title: "Edit a",
  input: {},
  options: [],
};
