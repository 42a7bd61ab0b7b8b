/** Points Claude Code at a scripted model. All values are made up: no real key, no account. */
import type { Proof } from "../contract.ts";
import { proofCall } from "../shared/proof-calls.ts";

export const proof: Proof = {
  install: { package: "@anthropic-ai/claude-code", version: "2.1.325", bin: "claude" },
  speaks: "anthropic",
  env: (modelUrl) => ({ ...quiet(modelUrl), ANTHROPIC_API_KEY: "sk-ant-made-up-for-a-scripted-model" }),
  // Claude Code reports the windows of a plan only with a subscription.
  planEnv: (modelUrl) => ({ ...quiet(modelUrl), CLAUDE_CODE_OAUTH_TOKEN: "made-up-for-a-scripted-model" }),
  models: ["opus", "haiku"],
  compactPrompt: "/compact",
  toolCall: (call) => proofCall(names, call),
};

/** Turns off every request except those to the model: updates, telemetry, lookups. */
const quiet = (modelUrl: string): Record<string, string> => ({
  ANTHROPIC_BASE_URL: modelUrl,
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  DISABLE_AUTOUPDATER: "1",
});

const names = {
  read: "Read",
  write: "Write",
  edit: "Edit",
  shell: "Bash",
  task: "Agent",
  question: "AskUserQuestion",
  plan: "ExitPlanMode",
  mode: "EnterPlanMode",
  web_fetch: "WebFetch",
  web_search: "WebSearch",
} as const;
