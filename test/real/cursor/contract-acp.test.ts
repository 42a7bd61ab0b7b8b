import { cursorStandIn } from "../../stand-ins/cursor/stand-in.ts";
import { contractOf } from "../support/contract-of.ts";

// What hooks say is not on the wire: played again it would not be there.
delete process.env["REINS_RECORD"];

await contractOf("cursor", {
  channel: "acp",
  command: cursorStandIn(),
  // The folder of a scenario is one that nobody has ever opened.
  spokenEnv: { REINS_CURSOR_TRUST: "1" },
});
