import { decodeConversation, encodeConversation } from "../shared/conversation-state.ts";
import { program } from "./program.ts";

export const encodeState = (conversation: string): string => encodeConversation(program, conversation);
export const decodeState = (state: string): string => decodeConversation(program, state);
