/** Points Codex at a scripted model. All values are made up: no real key, no account. */
import type { Proof, ProofLimit, ProofToolCall, SpelledToolCall } from "../contract.ts";
import { proofOtherCall, proofQuestion } from "../shared/proof-calls.ts";

export const proof: Proof = {
  install: { package: "@openai/codex", version: "0.166.0", bin: "codex" },
  speaks: "openai-responses",
  env: () => ({ SCRIPTED_KEY: "sk-made-up-for-a-scripted-model" }),
  files: (modelUrl) => ({ ".codex/config.toml": configOf(modelUrl) }),
  // The other models have a single tool, in which they write JavaScript.
  models: ["gpt-5.5", "gpt-6-luna"],
  compactPrompt: "/compact",
  toolCall: (call) => tools[call.tool]?.(call) ?? proofOtherCall(call),
  limitHeaders,
};

/** Analytics and plugins are off, so that Codex calls only the model. */
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

/** Codex reads with commands, and edits whole lines only, which a canonical edit does not provide. */
const tools: Partial<Record<ProofToolCall["tool"], (call: ProofToolCall) => SpelledToolCall | undefined>> = {
  read: ({ path = "there-is-no-such-file" }) => command(`cat ${quoted(path)}`),
  grep: ({ text = "" }) => command(`grep -rn ${quoted(text)} .`),
  shell: ({ command: line = "true", background }) => command(line, background === true ? { yield_time_ms: 250 } : {}),
  write: ({ path, text = "" }) => patch(`*** Add File: ${path}`, `+${text.replace(/\n$/, "").replaceAll("\n", "\n+")}`),
  delete: ({ path }) => patch(`*** Delete File: ${path}`),
  // A subagent always runs in the background.
  task: ({ prompt: message = "", background }) =>
    background === true ? { name: "spawn_agent", namespace: "multi_agent_v1", input: { message } } : undefined,
  // Codex finds a plan in the text of its model.
  plan: ({ plan = "" }) => ({
    name: "plan",
    input: {},
    say: `\n<proposed_plan>\n${plan.trimEnd()}\n</proposed_plan>\n`,
  }),
  question: (call) => ({
    name: "request_user_input",
    input: { questions: [{ id: "answer", ...proofQuestion(call) }] },
  }),
  mcp: ({ name = "", server, input = {} }) => ({ name, namespace: `mcp__${server}`, input }),
};

const command = (cmd: string, more: object = {}): SpelledToolCall => ({
  name: "exec_command",
  input: { cmd, ...more },
});

const patch = (...body: readonly string[]): SpelledToolCall => ({
  name: "apply_patch",
  input: ["*** Begin Patch", ...body, "*** End Patch", ""].join("\n"),
});

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

function limitHeaders({ window, usedPercent, resetsInSeconds }: ProofLimit): Record<string, string> {
  return {
    "x-codex-primary-used-percent": String(usedPercent),
    "x-codex-primary-window-minutes": window === "five_hour" ? "300" : "10080",
    "x-codex-primary-reset-at": String(Math.floor(Date.now() / 1000) + resetsInSeconds),
  };
}
