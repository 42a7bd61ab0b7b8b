import { anthropic } from "./anthropic.ts";
import { google } from "./google.ts";
import { openaiChat } from "./openai-chat.ts";
import { openaiResponses } from "./openai-responses.ts";
import type { JsonObject } from "./wire.ts";

export const wires: readonly JsonObject[] = [anthropic, openaiResponses, openaiChat, google];
