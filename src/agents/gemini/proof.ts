/** Points Gemini CLI at a scripted model. The key is made up. */
import type { Proof, ProofToolCall, SpelledToolCall } from "../contract.ts";
import { proofOtherCall } from "../shared/proof-calls.ts";

export const proof: Proof = {
  install: { package: "@google/gemini-cli", version: "0.61.0", bin: "gemini" },
  speaks: "gemini",
  env: (modelUrl) => ({
    GEMINI_API_KEY: "made-up-for-a-scripted-model",
    GOOGLE_GEMINI_BASE_URL: modelUrl,
    // Without a model name it asks a model which model to use.
    GEMINI_MODEL: "gemini-2.5-flash",
    GEMINI_CLI_TRUST_WORKSPACE: "true",
  }),
  files: () => ({
    ".gemini/settings.json": JSON.stringify({
      security: { auth: { selectedType: "gemini-api-key" } },
      general: { maxAttempts: 2, enableAutoUpdate: false, enableAutoUpdateNotification: false },
      tools: { shell: { enableInteractiveShell: false } },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      ide: { enabled: false },
    }),
  }),
  models: ["gemini-2.5-flash", "gemini-2.5-pro"],
  toolCall: (call) => calls[call.tool]?.(call) ?? proofOtherCall(call),
};

const calls: Partial<Record<ProofToolCall["tool"], (call: ProofToolCall) => SpelledToolCall>> = {
  read: ({ path }) => ({ name: "read_file", input: { file_path: path } }),
  write: ({ path, text = "" }) => ({ name: "write_file", input: { file_path: path, content: text } }),
  edit: ({ path, from = "", to = "" }) => ({
    name: "replace",
    input: { file_path: path, instruction: "Change it.", old_string: from, new_string: to },
  }),
  list: ({ path }) => ({ name: "list_directory", input: { dir_path: path } }),
  shell: ({ command, background = false }) => ({
    name: "run_shell_command",
    input: { command, description: "Run a command", is_background: background },
  }),
  task: ({ prompt = "" }) => ({ name: "invoke_agent", input: { agent_name: "generalist", prompt } }),
  mode: () => ({ name: "enter_plan_mode", input: { reason: "To think first." } }),
  web_fetch: ({ path }) => ({ name: "web_fetch", input: { prompt: `Read ${path}` } }),
  web_search: ({ text = "" }) => ({ name: "google_web_search", input: { query: text } }),
  mcp: ({ server, name, input = {} }) => ({ name: `mcp_${server}_${name}`, input }),
};
