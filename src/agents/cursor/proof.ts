/** Points Cursor at a scripted model, which only its stand-in supports. All values are made up. */
import type { Proof } from "../contract.ts";
import { standInCall } from "../shared/proof-calls.ts";

export const proof: Proof = {
  speaks: "openai-chat",
  env: (modelUrl) => ({
    CURSOR_API_ENDPOINT: modelUrl,
    CURSOR_API_KEY: "made-up-for-a-scripted-model",
    // The folder of a scenario was never trusted.
    REINS_CURSOR_TRUST: "1",
  }),
  keeps: (chat) => `.cursor/chats/replayed/${chat}/meta.json`,
  models: ["auto", "composer-2.5"],
  toolCall: standInCall,
};
