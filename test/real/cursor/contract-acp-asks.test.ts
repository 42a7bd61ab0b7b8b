/** A Cursor that is set to ask before edits too, without hooks: all that is said is on the wire. */
import { test } from "vitest";
import { cursorStandIn } from "../../../src/testing/stand-ins/cursor/stand-in.ts";
import { contractOf } from "../support/contract-of.ts";
import { isSpoken } from "../support/spoken-place.ts";

if (isSpoken("cursor")) test.skip("a person's own Cursor is set as that person likes it", () => {});
else await contractOf("cursor", { channel: "acp-asks", command: cursorStandIn({ traps: { ASKS_EDITS: true } }) });
