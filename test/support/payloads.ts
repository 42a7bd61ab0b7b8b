import type { EventPayload } from "../../src/events/types.ts";

export const asksToEdit: EventPayload & { type: "permission.requested" } = {
  type: "permission.requested",
  requestId: "r",
  callId: "c",
  tool: "edit",
  title: "Edit a",
  input: {},
  options: [],
};
