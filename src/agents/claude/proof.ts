/** How to point Claude Code at a scripted model. Everything here is made up: no key, no account. */
import type { Proof, ProofToolCall, SpelledToolCall } from "../contract.ts";
import { proofMcpCall, proofOtherCall, proofQuestion, proofTask } from "../shared/proof-calls.ts";

export const proof: Proof = {
  install: { package: "@anthropic-ai/claude-code", version: "2.1.325", bin: "claude" },
  speaks: "anthropic",
  env: (modelUrl) => ({ ...quiet(modelUrl), ANTHROPIC_API_KEY: "sk-ant-made-up-for-a-scripted-model" }),
  // Only with a subscription does it tell about a plan's windows.
  planEnv: (modelUrl) => ({ ...quiet(modelUrl), CLAUDE_CODE_OAUTH_TOKEN: "made-up-for-a-scripted-model" }),
  models: ["opus", "haiku"],
  compactPrompt: "/compact",
  toolCall,
};

/** Nothing but the model is asked: no updates, no telemetry, no lookups. */
const quiet = (modelUrl: string): Record<string, string> => ({
  ANTHROPIC_BASE_URL: modelUrl,
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  DISABLE_AUTOUPDATER: "1",
});

function toolCall(call: ProofToolCall): SpelledToolCall | undefined {
  switch (call.tool) {
    case "read":
      return { name: "Read", input: { file_path: call.path } };
    case "write":
      return { name: "Write", input: { file_path: call.path, content: call.text ?? "" } };
    case "edit":
      return { name: "Edit", input: { file_path: call.path, old_string: call.from ?? "", new_string: call.to ?? "" } };
    case "shell":
      return {
        name: "Bash",
        input: { command: call.command, description: "Run a command", run_in_background: call.background },
      };
    case "task":
      return { name: "Agent", input: proofTask(call) };
    case "question":
      return { name: "AskUserQuestion", input: { questions: [proofQuestion(call)] } };
    case "plan":
      return { name: "ExitPlanMode", input: call.plan === undefined ? {} : { plan: call.plan } };
    case "mode":
      return { name: "EnterPlanMode", input: {} };
    case "web_fetch":
      return { name: "WebFetch", input: { url: call.path, prompt: call.prompt ?? "What does it say?" } };
    case "web_search":
      return { name: "WebSearch", input: { query: call.text ?? "" } };
    case "mcp":
      return proofMcpCall(call);
    default:
      return proofOtherCall(call);
  }
}
