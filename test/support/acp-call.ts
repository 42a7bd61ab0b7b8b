import type { AcpCall } from "../../src/protocols/acp/index.ts";

/** A call over ACP of which nothing is known but this. */
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
