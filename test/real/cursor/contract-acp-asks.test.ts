/** A Cursor that is set to ask before edits too, without hooks: all traffic is on the wire. */
import { cursorStandIn } from "../../stand-ins/cursor/stand-in.ts";
import { contractOf } from "../support/contract-of.ts";

await contractOf("cursor", {
  channel: "acp-asks",
  command: cursorStandIn({ traps: { ASKS_EDITS: true } }),
  notSpoken: "A person's own is set as that person likes it.",
});
