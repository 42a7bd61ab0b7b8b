import { cursorStandIn } from "../../stand-ins/cursor/stand-in.ts";
import { contractOf } from "../support/contract-of.ts";

// Hook traffic is not on the wire, so a replay would miss it.
delete process.env["REINS_RECORD"];

await contractOf("cursor", {
  channel: "acp",
  command: cursorStandIn(),
  // The new folder of a scenario has never been trusted.
  spokenEnv: { REINS_CURSOR_TRUST: "1" },
});
