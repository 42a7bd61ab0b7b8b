import { cursorStandIn } from "../../stand-ins/cursor/stand-in.ts";
import { contractOf } from "../support/contract-of.ts";

await contractOf("cursor", {
  channel: "print",
  command: cursorStandIn(),
  processATurn: true,
  // Nobody has trusted the new folder of a scenario before.
  spokenEnv: { REINS_CURSOR_TRUST: "1" },
});
