/** The opaque state of a leg, as the driver writes it, with the program's id of the session in it. */
import { decodeState, encodeState } from "../../drivers/acp/index.ts";
import { program } from "./program.ts";

export const stateOf = (sessionId: string): string => encodeState(program.id, sessionId);

export const sessionOf = (state: string): string => decodeState(program.id, program.name, state);
