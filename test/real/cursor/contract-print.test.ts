import { cursorStandIn } from "../../../src/testing/stand-ins/cursor/stand-in.ts";
import { contractOf } from "../support/contract-of.ts";

await contractOf("cursor", { channel: "print", command: cursorStandIn(), processATurn: true });
