/** Points OpenCode at a scripted model. All values are made up: no real key, no account. */
import type { Proof, ProofToolCall, SpelledToolCall } from "../contract.ts";
import { proofOtherCall, proofQuestion } from "../shared/proof-calls.ts";

const version = "1.18.33";

export const proof: Proof = {
  install: { package: "opencode-ai", version, bin: "opencode" },
  speaks: "openai-chat",
  env: (modelUrl) => ({
    OPENCODE_CONFIG_CONTENT: JSON.stringify(configOf(modelUrl)),
    // Only the model is called: no updates, model lists or language servers.
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
  }),
  files: homeFiles,
  models: ["scripted/scripted", "scripted/scripted-2"],
  compactPrompt: "/compact",
  // Requests for titles and summaries beside the work.
  asides: [
    "You are a title generator",
    "You are a helpful AI assistant tasked with summarizing",
    "anchored context summarization",
  ],
  toolCall: (call) => tools[call.tool]?.(call) ?? proofOtherCall(call),
};

/**
 * Files of a home that was used before. In a new home each start looks for the plugin library at npm, which is not
 * reachable, and processes a list of thousands of models; together that is half of the cost of a start.
 */
function homeFiles(): Record<string, string> {
  const library = { dependencies: { "@opencode-ai/plugin": version } };
  return {
    ".cache/opencode/models.json": "{}",
    ".config/opencode/package.json": JSON.stringify(library),
    ".config/opencode/package-lock.json": JSON.stringify({ lockfileVersion: 3, packages: { "": library } }),
    ".config/opencode/node_modules/.package-lock.json": "{}",
  };
}

function configOf(modelUrl: string): object {
  const model = {
    tool_call: true,
    reasoning: true,
    attachment: true,
    limit: { context: 200_000, output: 8_192 },
    cost: { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 },
    modalities: { input: ["text", "image"], output: ["text"] },
  };
  // The last name makes OpenCode offer `apply_patch` instead of `edit` and `write`.
  const ids = ["scripted", "scripted-2", "gpt-5-scripted"];
  return {
    model: "scripted/scripted",
    small_model: "scripted/scripted",
    enabled_providers: ["scripted"],
    autoupdate: false,
    share: "disabled",
    // Otherwise OpenCode copies every file into its own repository at each step.
    snapshot: false,
    provider: {
      scripted: {
        npm: "@ai-sdk/openai-compatible",
        name: "Scripted",
        options: { baseURL: `${modelUrl}/v1`, apiKey: "made-up-for-a-scripted-model" },
        models: Object.fromEntries(ids.map((id) => [id, { ...model, name: id }])),
      },
    },
  };
}

const tools: Partial<Record<ProofToolCall["tool"], (call: ProofToolCall) => SpelledToolCall | undefined>> = {
  read: ({ path }) => ({ name: "read", input: { filePath: path } }),
  write: ({ path, text = "" }) => ({ name: "write", input: { filePath: path, content: text } }),
  edit: ({ path, from = "", to = "" }) => ({ name: "edit", input: { filePath: path, oldString: from, newString: to } }),
  shell: ({ command, background }) =>
    background === true ? undefined : { name: "bash", input: { command, description: "Run a command" } },
  glob: ({ path, text = "*" }) => ({ name: "glob", input: { pattern: text, path } }),
  grep: ({ path, text = "" }) => ({ name: "grep", input: { pattern: text, path } }),
  task: ({ prompt = "", background }) => {
    const work = { description: "Part of the work", prompt, subagent_type: "general" };
    return { name: "task", input: background === true ? { ...work, background } : work };
  },
  question: (call) => ({ name: "question", input: { questions: [proofQuestion(call)] } }),
  plan: () => ({ name: "plan_exit", input: {} }),
  web_fetch: ({ path }) => ({ name: "webfetch", input: { url: path, format: "text" } }),
  mcp: ({ server, name, input = {} }) => ({ name: `${server}_${name}`, input }),
};
