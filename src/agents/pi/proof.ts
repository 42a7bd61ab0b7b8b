/** Points pi at a scripted model. All values are made up: no real key, no account. */
import type { Proof, ProofToolCall, SpelledToolCall } from "../contract.ts";
import { proofOtherCall } from "../shared/proof-calls.ts";

export const proof: Proof = {
  install: { package: "@earendil-works/pi-coding-agent", version: "0.87.1", bin: "pi" },
  speaks: "openai-chat",
  env: () => ({ PI_OFFLINE: "1", PI_TELEMETRY: "0" }),
  files: (modelUrl) => ({
    ".pi/agent/models.json": JSON.stringify({ providers: { scripted: service(modelUrl) } }),
    ".pi/agent/settings.json": JSON.stringify({
      defaultProvider: "scripted",
      defaultModel: "scripted",
      // All tools; three of them are off by default.
      defaultTools: ["read", "bash", "edit", "write", "grep", "find", "ls"],
      retry: { baseDelayMs: 20 },
      // So that a short conversation can be compacted too.
      compaction: { keepRecentTokens: 1 },
    }),
  }),
  models: ["scripted/scripted", "scripted/scripted-2"],
  compactPrompt: "/compact",
  toolCall,
};

function service(modelUrl: string): object {
  const model = {
    reasoning: true,
    input: ["text", "image"],
    contextWindow: 200_000,
    // The length of the scripted answers: pi takes a shorter truncated answer for a full context, and compacts.
    maxTokens: 20,
    cost: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
  };
  return {
    baseUrl: `${modelUrl}/v1`,
    api: "openai-completions",
    apiKey: "made-up-for-a-scripted-model",
    models: ["scripted", "scripted-2"].map((id) => ({ ...model, id })),
  };
}

function toolCall(call: ProofToolCall): SpelledToolCall | undefined {
  switch (call.tool) {
    case "read":
      return { name: "read", input: { path: call.path } };
    case "write":
      return { name: "write", input: { path: call.path, content: call.text ?? "" } };
    case "edit":
      return {
        name: "edit",
        input: { path: call.path, edits: [{ oldText: call.from ?? "", newText: call.to ?? "" }] },
      };
    case "shell":
      return call.background === true ? undefined : { name: "bash", input: { command: call.command } };
    case "list":
      return { name: "ls", input: { path: call.path } };
    case "glob":
      return { name: "find", input: { pattern: call.text ?? "*", path: call.path } };
    case "grep":
      return { name: "grep", input: { pattern: call.text ?? "", path: call.path } };
    default:
      return proofOtherCall(call);
  }
}
