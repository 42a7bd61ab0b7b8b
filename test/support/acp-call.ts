import type { AcpCall } from "../../src/protocols/acp/index.ts";

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
