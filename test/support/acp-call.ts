import type { AcpCall } from "../../src/protocols/acp/index.ts";

/** A tool call over ACP with default fields. */
export const acpCall = (more: Partial<AcpCall>): AcpCall => ({
  id: "c",
  name: undefined,
  kind: undefined,
  title: undefined,
  input: undefined,
  locations: [],
  meta: {},
  ...more,
});
