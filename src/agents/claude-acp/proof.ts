/** Points the adapter at a scripted model. The key is made up. */
import type { Proof } from "../contract.ts";
import { proofCall } from "../shared/proof-calls.ts";

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
  toolCall: (call) => proofCall(names, call),
};

const names = {
  read: "Read",
  write: "Write",
  edit: "Edit",
  shell: "Bash",
  task: "Agent",
  question: "AskUserQuestion",
  plan: "ExitPlanMode",
} as const;
