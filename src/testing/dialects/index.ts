import { anthropic } from "./anthropic.ts";
import type { Dialect } from "./dialect.ts";
import { google } from "./google.ts";
import { openaiChat } from "./openai-chat.ts";
import { openaiResponses } from "./openai-responses.ts";

/** Every wire format that the scripted model speaks, all at the same address. */
export const dialects: readonly [Dialect, ...Dialect[]] = [anthropic, openaiResponses, openaiChat, google];
