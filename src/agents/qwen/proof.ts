/** Points Qwen Code at a scripted model. All values are made up: no real key, no account. */
import type { Proof, ProofToolCall, SpelledToolCall } from "../contract.ts";
import { proofCall } from "../shared/proof-calls.ts";

export const proof: Proof = {
  install: { package: "@qwen-code/qwen-code", version: "0.24.4", bin: "qwen" },
  speaks: "openai-chat",
  env: (modelUrl) => ({
    OPENAI_BASE_URL: `${modelUrl}/v1`,
    OPENAI_API_KEY: "sk-made-up-for-a-scripted-model",
    // A model that the program believes to support images.
    OPENAI_MODEL: "qwen3-vl-plus",
  }),
  models: ["qwen3-coder-plus", "qwen3-max"],
  toolCall,
  // After each turn the program asks the model what to remember and what the user might say next.
  asides: ["managed memory extraction subagent", "SUGGESTION MODE"],
};

const names = {
  read: "read_file",
  write: "write_file",
  edit: "edit",
  grep: "grep_search",
  task: "agent",
  question: "ask_user_question",
  web_fetch: "web_fetch",
} as const;

function toolCall(call: ProofToolCall): SpelledToolCall | undefined {
  const { command, background = false, plan = "" } = call;
  if (call.tool === "plan") return { name: "exit_plan_mode", input: { plan } };
  if (call.tool !== "shell") return proofCall(names, call);
  return { name: "run_shell_command", input: { command, description: "Run a command", is_background: background } };
}
