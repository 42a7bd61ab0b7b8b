/** How to point it at a scripted model. Everything here is made up: no key, no account. */
import type { Proof, ProofToolCall, SpelledToolCall } from "../contract.ts";
import { proofMcpCall, proofOtherCall, proofQuestion, proofTask } from "../shared/proof-calls.ts";

export const proof: Proof = {
  install: { package: "@agentclientprotocol/claude-agent-acp", version: "0.99.1", bin: "claude-agent-acp" },
  speaks: "anthropic",
  env: (modelUrl) => ({
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: "sk-ant-made-up-for-a-scripted-model",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
  }),
  models: ["opus", "haiku"],
  compactPrompt: "/compact",
  toolCall,
};

function toolCall(call: ProofToolCall): SpelledToolCall | undefined {
  const { path: file_path, command } = call;
  switch (call.tool) {
    case "read":
      return { name: "Read", input: { file_path } };
    case "write":
      return { name: "Write", input: { file_path, content: call.text ?? "" } };
    case "edit":
      return { name: "Edit", input: { file_path, old_string: call.from ?? "", new_string: call.to ?? "" } };
    case "shell":
      return { name: "Bash", input: { command, description: "Run a command", run_in_background: call.background } };
    case "task":
      return { name: "Agent", input: proofTask(call) };
    case "question":
      return { name: "AskUserQuestion", input: { questions: [proofQuestion(call)] } };
    case "plan":
      return { name: "ExitPlanMode", input: call.plan === undefined ? {} : { plan: call.plan } };
    case "mcp":
      return proofMcpCall(call);
    default:
      return proofOtherCall(call);
  }
}
