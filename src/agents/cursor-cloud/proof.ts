/** Points Cursor Cloud at a scripted model through a local service that stands in for the real one. All values are made up. */
import type { Proof } from "../contract.ts";
import { standInCall } from "../shared/proof-calls.ts";
import { keyVariable, urlVariable } from "./program.ts";

const missing: ReadonlySet<string> = new Set(["web_search", "task", "question", "plan"]);

/** `env` takes the address of the service, not of a model, so `reins doctor --prove`, which has only a model, skips this agent. */
export const proof: Proof = {
  speaks: "openai-chat",
  env: (serviceUrl) => ({ [urlVariable]: serviceUrl, [keyVariable]: "crsr_made-up-for-a-scripted-model" }),
  models: ["scripted-1", "scripted-2"],
  toolCall: (call) => {
    const inBackground = call.tool === "shell" && call.background === true;
    return missing.has(call.tool) || inBackground ? undefined : standInCall(call);
  },
};
