/** How to point Codex at a scripted model. Everything here is made up: no key, no account. */
import type { Proof, ProofLimit, ProofToolCall, SpelledToolCall } from "../contract.ts";
import { proofOtherCall } from "../shared/proof-calls.ts";

export const proof: Proof = {
  install: { package: "@openai/codex", version: "0.166.0", bin: "codex" },
  speaks: "openai-responses",
  env: () => ({ SCRIPTED_KEY: "sk-made-up-for-a-scripted-model" }),
  files: (modelUrl) => ({ ".codex/config.toml": configOf(modelUrl) }),
  // The other models have one tool, in which they write JavaScript.
  models: ["gpt-5.5", "gpt-6-luna"],
  compactPrompt: "/compact",
  toolCall,
  limitHeaders,
};

/** Without analytics and plugins only the model is called. */
const configOf = (modelUrl: string): string => `model = "gpt-5.5"
model_provider = "scripted"
check_for_update_on_startup = false
[analytics]
enabled = false
[features]
plugins = false
[model_providers.scripted]
name = "scripted"
base_url = "${modelUrl}/v1"
env_key = "SCRIPTED_KEY"
wire_api = "responses"
request_max_retries = 1
stream_max_retries = 1
supports_websockets = false
`;

function toolCall(call: ProofToolCall): SpelledToolCall | undefined {
  switch (call.tool) {
    // Codex reads with commands, and edits whole lines only, which a canonical edit does not tell.
    case "read":
      return command(`cat ${quoted(call.path ?? "there-is-no-such-file")}`);
    case "grep":
      return command(`grep -rn ${quoted(call.text ?? "")} .`);
    case "shell":
      return command(call.command ?? "true", call.background === true ? { yield_time_ms: 250 } : {});
    case "write":
      return patch(`*** Add File: ${call.path}`, ...lines("+", call.text ?? ""));
    case "delete":
      return patch(`*** Delete File: ${call.path}`);
    case "task":
      // A subagent always runs in the background.
      return call.background === true ? spawn(call.prompt ?? "") : undefined;
    case "plan":
      // Codex finds a plan in the text of its model.
      return { name: "plan", input: {}, say: `\n<proposed_plan>\n${call.plan?.trimEnd() ?? ""}\n</proposed_plan>\n` };
    case "question":
      return { name: "request_user_input", input: { questions: [questionOf(call)] } };
    case "mcp":
      return { name: call.name ?? "", namespace: `mcp__${call.server}`, input: call.input ?? {} };
    default:
      return proofOtherCall(call);
  }
}

const command = (cmd: string, more: object = {}): SpelledToolCall => ({
  name: "exec_command",
  input: { cmd, ...more },
});

const spawn = (message: string): SpelledToolCall => ({
  name: "spawn_agent",
  namespace: "multi_agent_v1",
  input: { message },
});

const patch = (...body: readonly string[]): SpelledToolCall => ({
  name: "apply_patch",
  input: ["*** Begin Patch", ...body, "*** End Patch", ""].join("\n"),
});

const lines = (mark: string, text: string): string[] =>
  text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => mark + line);

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

function questionOf({ question = "Which one?", choices = ["Yes", "No"] }: ProofToolCall): object {
  return {
    id: "answer",
    header: "Question",
    question,
    options: choices.map((label) => ({ label, description: label })),
  };
}

function limitHeaders({ window, usedPercent, resetsInSeconds }: ProofLimit): Record<string, string> {
  return {
    "x-codex-primary-used-percent": String(usedPercent),
    "x-codex-primary-window-minutes": window === "five_hour" ? "300" : "10080",
    "x-codex-primary-reset-at": String(Math.floor(Date.now() / 1000) + resetsInSeconds),
  };
}
