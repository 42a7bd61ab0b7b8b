/** How to point Qwen Code at a scripted model. Everything here is made up: no key, no account. */
import type { Proof, ProofToolCall, SpelledToolCall } from "../contract.ts";
import { proofMcpCall, proofOtherCall, proofQuestion, proofTask } from "../shared/proof-calls.ts";

export const proof: Proof = {
  install: { package: "@qwen-code/qwen-code", version: "0.24.4", bin: "qwen" },
  speaks: "openai-chat",
  env: (modelUrl) => ({
    OPENAI_BASE_URL: `${modelUrl}/v1`,
    OPENAI_API_KEY: "sk-made-up-for-a-scripted-model",
    // One that it believes to see images.
    OPENAI_MODEL: "qwen3-vl-plus",
  }),
  models: ["qwen3-coder-plus", "qwen3-max"],
  toolCall,
  // After each turn it asks the model what is worth remembering, and what a person might say next.
  asides: ["managed memory extraction subagent", "SUGGESTION MODE"],
};

function toolCall(call: ProofToolCall): SpelledToolCall | undefined {
  switch (call.tool) {
    case "read":
      return { name: "read_file", input: { file_path: call.path } };
    case "write":
      return { name: "write_file", input: { file_path: call.path, content: call.text ?? "" } };
    case "edit":
      return { name: "edit", input: { file_path: call.path, old_string: call.from ?? "", new_string: call.to ?? "" } };
    case "grep":
      return { name: "grep_search", input: { pattern: call.text ?? "", ...(call.path && { path: call.path }) } };
    case "shell":
      return {
        name: "run_shell_command",
        input: { command: call.command, description: "Run a command", is_background: call.background ?? false },
      };
    case "task":
      return { name: "agent", input: proofTask(call) };
    case "question":
      return { name: "ask_user_question", input: { questions: [proofQuestion(call)] } };
    case "plan":
      return { name: "exit_plan_mode", input: { plan: call.plan ?? "" } };
    case "web_fetch":
      return { name: "web_fetch", input: { url: call.path, prompt: call.prompt ?? "What does it say?" } };
    case "mcp":
      return proofMcpCall(call);
    default:
      return proofOtherCall(call);
  }
}
