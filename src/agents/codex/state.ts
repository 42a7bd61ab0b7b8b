import { decodeConversation, encodeConversation } from "../shared/conversation-state.ts";
import { program } from "./program.ts";

export const encodeState = (thread: string): string => encodeConversation(program, thread);
export const decodeState = (state: string): string => decodeConversation(program, state);
