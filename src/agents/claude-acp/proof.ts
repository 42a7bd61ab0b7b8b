/** How to point it at a scripted model. Everything here is made up: no key, no account. */
import type { Proof, ProofToolCall, SpelledToolCall } from "../contract.ts";

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
      return { name: "Agent", input: taskOf(call) };
    case "question":
      return { name: "AskUserQuestion", input: { questions: [questionOf(call)] } };
    case "plan":
      return { name: "ExitPlanMode", input: call.plan === undefined ? {} : { plan: call.plan } };
    case "mcp":
      return { name: `mcp__${call.server}__${call.name}`, input: call.input ?? {} };
    case "other":
      return call.name === undefined ? undefined : { name: call.name, input: call.input ?? {} };
    default:
      return undefined;
  }
}

/** It runs in the background unless it is told not to. */
function taskOf({ prompt = "", background = false }: ProofToolCall): object {
  const description = "Part of the work";
  return { description, prompt, subagent_type: "general-purpose", run_in_background: background };
}

/** It wants two choices at least. */
function questionOf({ question = "Which one?", choices = ["Yes", "No"] }: ProofToolCall): object {
  const options = choices.map((label) => ({ label, description: label }));
  return { question, header: "Question", multiSelect: false, options };
}
