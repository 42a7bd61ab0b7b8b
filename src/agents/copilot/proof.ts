/** Points Copilot at a scripted model. The key is made up. */
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
    // No account, no updates, no telemetry.
    COPILOT_OFFLINE: "true",
    COPILOT_AUTO_UPDATE: "false",
    // Copilot unpacks 235 MB into each new home, unless they share the folder.
    COPILOT_PKG_CACHE_HOME: join(homedir(), ".cache", "copilot"),
  }),
  models: ["scripted-model", "other-model"],
  toolCall: (call) => calls[call.tool]?.(call) ?? proofOtherCall(call),
};

const calls: Partial<Record<ProofToolCall["tool"], (call: ProofToolCall) => SpelledToolCall>> = {
  read: ({ path }) => ({ name: "view", input: { path } }),
  write: ({ path, text = "" }) => ({ name: "create", input: { path, file_text: text } }),
  edit: ({ path, from = "", to = "" }) => ({ name: "edit", input: { path, old_str: from, new_str: to } }),
  shell: ({ command, background }) => ({
    name: "bash",
    input: { command, description: "Run a command", mode: background === true ? "async" : "sync", initial_wait: 600 },
  }),
  task: ({ prompt = "", background }) => ({
    name: "task",
    input: {
      description: "Part of the work",
      prompt,
      agent_type: "general-purpose",
      name: "part",
      mode: background === true ? "background" : "sync",
    },
  }),
  grep: ({ text = "" }) => ({ name: "grep", input: { pattern: text } }),
  glob: ({ text = "*" }) => ({ name: "glob", input: { pattern: text } }),
  mcp: ({ server, name, input = {} }) => ({ name: `${server}-${name}`, input }),
};
