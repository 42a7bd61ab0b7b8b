import { anthropic } from "./anthropic/index.ts";
import type { Dialect } from "./dialect.ts";
import { google } from "./google/index.ts";
import { openaiChat } from "./openai-chat/index.ts";
import { openaiResponses } from "./openai-responses/index.ts";

/** Every wire the scripted model speaks, all at the same address. */
export const dialects: readonly [Dialect, ...Dialect[]] = [anthropic, openaiResponses, openaiChat, google];
