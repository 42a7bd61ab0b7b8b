/** The id of the conversation, in any of the spellings it was seen in. */
import { text } from "../../../drivers/stream-json/read.ts";
import type { Wire } from "../../../drivers/stream-json/read.ts";

const spellings = ["session_id", "sessionId", "sessionID", "chat_id", "chatId", "conversation_id", "conversationId"];

/** Only what can go onto a command line again, and is no option there. */
const usable = /^[\w.][\w.-]{0,199}$/;

export function chatIdIn(message: Wire): string | undefined {
  return spellings.map((name) => text(message[name])).find((id) => id !== undefined && usable.test(id));
}
