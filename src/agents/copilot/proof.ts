/** How to point Copilot at a scripted model. Everything here is made up: no key, no account. */
import { homedir } from "node:os";
import { join } from "node:path";
import type { Proof, ProofToolCall, SpelledToolCall } from "../contract.ts";
import { proofOtherCall } from "../shared/proof-calls.ts";

export const proof: Proof = {
  install: { package: "@github/copilot", version: "1.0.102", bin: "copilot" },
  speaks: "openai-chat",
  env: (modelUrl) => ({
    COPILOT_PROVIDER_BASE_URL: `${modelUrl}/v1`,
    COPILOT_PROVIDER_API_KEY: "made-up-for-a-scripted-model",
    COPILOT_MODEL: "scripted-model",
    // Nothing but the model is asked: no account, no updates, no telemetry.
    COPILOT_OFFLINE: "true",
    COPILOT_AUTO_UPDATE: "false",
    // It unpacks 235 MB into each new home, unless they share the place.
    COPILOT_PKG_CACHE_HOME: join(homedir(), ".cache", "copilot"),
  }),
  models: ["scripted-model", "other-model"],
  toolCall,
};

function toolCall(call: ProofToolCall): SpelledToolCall | undefined {
  switch (call.tool) {
    case "read":
      return { name: "view", input: { path: call.path } };
    case "write":
      return { name: "create", input: { path: call.path, file_text: call.text ?? "" } };
    case "edit":
      return { name: "edit", input: { path: call.path, old_str: call.from ?? "", new_str: call.to ?? "" } };
    case "shell":
      return {
        name: "bash",
        input: {
          command: call.command,
          description: "Run a command",
          mode: call.background === true ? "async" : "sync",
          initial_wait: 600,
        },
      };
    case "task":
      return {
        name: "task",
        input: {
          description: "Part of the work",
          prompt: call.prompt ?? "",
          agent_type: "general-purpose",
          name: "part",
          mode: call.background === true ? "background" : "sync",
        },
      };
    case "grep":
      return { name: "grep", input: { pattern: call.text ?? "" } };
    case "glob":
      return { name: "glob", input: { pattern: call.text ?? "*" } };
    case "mcp":
      return { name: `${call.server}-${call.name}`, input: call.input ?? {} };
    default:
      return proofOtherCall(call);
  }
}
