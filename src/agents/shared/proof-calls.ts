/** Calls of tools as a model makes them, where several agents give them the same shape. */
import type { ProofToolCall, SpelledToolCall } from "../contract.ts";

/** One question as a model asks it; two choices is the least. */
export function proofQuestion({ question = "Which one?", choices = ["Yes", "No"] }: ProofToolCall): object {
  return {
    question,
    header: "Question",
    multiSelect: false,
    options: choices.map((label) => ({ label, description: label })),
  };
}

/** A part of the work for a subagent, which runs in the background unless it is told not to. */
export function proofTask({ prompt = "", background = false }: ProofToolCall): object {
  const description = "Part of the work";
  return { description, prompt, subagent_type: "general-purpose", run_in_background: background };
}

export function proofMcpCall({ server, name, input = {} }: ProofToolCall): SpelledToolCall {
  return { name: `mcp__${server}__${name}`, input };
}

/** `other` is a tool by its own name; what is left the agent has no tool for. */
export function proofOtherCall({ tool, name, input = {} }: ProofToolCall): SpelledToolCall | undefined {
  return tool === "other" && name !== undefined ? { name, input } : undefined;
}
