/** How to point Cursor at a scripted model: only the stand-in can be led there. Everything here is made up. */
import type { Proof } from "../contract.ts";
import { standInCall } from "../shared/stand-in-calls.ts";

export const proof: Proof = {
  speaks: "openai-chat",
  env: (modelUrl) => ({ CURSOR_API_ENDPOINT: `${modelUrl}/v1`, CURSOR_API_KEY: "made-up-for-a-scripted-model" }),
  toolCall: standInCall,
};
