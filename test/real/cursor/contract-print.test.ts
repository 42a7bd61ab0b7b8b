import { cursorStandIn } from "../../stand-ins/cursor/stand-in.ts";
import { contractOf } from "../support/contract-of.ts";

await contractOf("cursor", {
  channel: "print",
  command: cursorStandIn(),
  processATurn: true,
  // The folder of a scenario is one that nobody has ever opened.
  spokenEnv: { REINS_CURSOR_TRUST: "1" },
});
