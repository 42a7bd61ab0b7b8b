/** How to point Cursor at a scripted model: only the stand-in can be led there. Everything here is made up. */
import type { Proof } from "../contract.ts";
import { standInCall } from "../shared/stand-in-calls.ts";

export const proof: Proof = {
  speaks: "openai-chat",
  env: (modelUrl) => ({
    CURSOR_API_ENDPOINT: modelUrl,
    CURSOR_API_KEY: "made-up-for-a-scripted-model",
    // The folder of a scenario is one that nobody has ever opened.
    REINS_CURSOR_TRUST: "1",
  }),
  keeps: (chat) => `.cursor/chats/replayed/${chat}/meta.json`,
  models: ["auto", "composer-2.5"],
  toolCall: standInCall,
};
