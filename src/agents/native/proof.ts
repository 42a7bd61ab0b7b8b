/** Points this agent at a scripted model. All values are made up: no real key, no account. */
import type { Proof, ProofToolCall, SpelledToolCall } from "../contract.ts";
import { proofMcpCall, proofOtherCall } from "../shared/proof-calls.ts";

/** Needs no program, because the agent is part of Reins. */
export const proof: Proof = {
  version: "7.0.169",
  speaks: "anthropic",
  env: (modelUrl) => ({
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: "sk-ant-made-up-for-a-scripted-model",
  }),
  models: ["anthropic/claude-sonnet-5-5", "anthropic/claude-opus-5-5"],
  compactPrompt: "/compact",
  // The request for a summary repeats the conversation, including the scenario's name.
  asides: ["You summarise a conversation"],
  toolCall,
};

function toolCall(call: ProofToolCall): SpelledToolCall | undefined {
  const { tool, path, command, prompt, background } = call;
  switch (tool) {
    case "read":
    case "list":
    case "delete":
      return { name: tool, input: { path } };
    case "glob":
    case "grep":
      return { name: tool, input: { pattern: call.text, path } };
    case "write":
      return { name: tool, input: { path, content: call.text ?? "" } };
    case "edit":
      return { name: tool, input: { path, from: call.from ?? "", to: call.to ?? "" } };
    case "shell":
      return { name: tool, input: { command, background } };
    case "move":
      return { name: tool, input: { path, to: call.to } };
    case "web_fetch":
      return { name: tool, input: { url: path } };
    case "task":
      return { name: tool, input: { description: "Part of the work", prompt: prompt ?? "", background } };
    case "question":
      return { name: tool, input: { question: call.question ?? "Which one?", choices: call.choices ?? ["Yes", "No"] } };
    case "plan":
      return call.plan === undefined
        ? { name: "plan", input: { entries: [{ text: "Do it", status: "in_progress" }] } }
        : { name: "propose_plan", input: { plan: call.plan } };
    case "mcp":
      return proofMcpCall(call);
    default:
      return proofOtherCall(call);
  }
}
