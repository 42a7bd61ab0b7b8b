import type { EventPayload } from "../../src/events/types.ts";

/** A permission to edit a file is asked for. */
export const asksToEdit: EventPayload & { type: "permission.requested" } = {
  type: "permission.requested",
  requestId: "r",
  callId: "c",
  tool: "edit",
  title: "Edit a",
  input: {},
  options: [],
};
