/** How to point Gemini CLI at a scripted model. Everything here is made up: no key, no account. */
import type { Proof, ProofToolCall, SpelledToolCall } from "../contract.ts";
import { proofOtherCall } from "../shared/proof-calls.ts";

export const proof: Proof = {
  install: { package: "@google/gemini-cli", version: "0.61.0", bin: "gemini" },
  speaks: "gemini",
  env: (modelUrl) => ({
    GEMINI_API_KEY: "made-up-for-a-scripted-model",
    GOOGLE_GEMINI_BASE_URL: modelUrl,
    // Without one it asks a model which model to ask.
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
  toolCall,
};

function toolCall(call: ProofToolCall): SpelledToolCall | undefined {
  switch (call.tool) {
    case "read":
      return { name: "read_file", input: { file_path: call.path } };
    case "write":
      return { name: "write_file", input: { file_path: call.path, content: call.text ?? "" } };
    case "edit": {
      const { path, from = "", to = "" } = call;
      return {
        name: "replace",
        input: { file_path: path, instruction: "Change it.", old_string: from, new_string: to },
      };
    }
    case "list":
      return { name: "list_directory", input: { dir_path: call.path } };
    case "shell":
      return {
        name: "run_shell_command",
        input: { command: call.command, description: "Run a command", is_background: call.background === true },
      };
    case "task":
      return { name: "invoke_agent", input: { agent_name: "generalist", prompt: call.prompt ?? "" } };
    case "mode":
      return { name: "enter_plan_mode", input: { reason: "To think first." } };
    case "web_fetch":
      return { name: "web_fetch", input: { prompt: `Read ${call.path}` } };
    case "web_search":
      return { name: "google_web_search", input: { query: call.text ?? "" } };
    case "mcp":
      return { name: `mcp_${call.server}_${call.name}`, input: call.input ?? {} };
    default:
      return proofOtherCall(call);
  }
}
