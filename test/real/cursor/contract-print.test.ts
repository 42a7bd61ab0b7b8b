import { cursorStandIn } from "../../stand-ins/cursor/stand-in.ts";
import { contractOf } from "../support/contract-of.ts";

await contractOf("cursor", {
  channel: "print",
  command: cursorStandIn(),
  processATurn: true,
  // The new folder of a scenario has never been trusted.
  spokenEnv: { REINS_CURSOR_TRUST: "1" },
});
