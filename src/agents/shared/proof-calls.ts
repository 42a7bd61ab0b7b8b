import type { ProofToolCall, SpelledToolCall } from "../contract.ts";

export function proofQuestion({ question = "Which one?", choices = ["Yes", "No"] }: ProofToolCall): object {
  return {
    question,
    header: "Question",
    multiSelect: false,
    options: choices.map((label) => ({ label, description: label })),
  };
}

export function proofTask({ prompt = "", background = false }: ProofToolCall): object {
  const description = "Part of the work";
  return { description, prompt, subagent_type: "general-purpose", run_in_background: background };
}

export function proofMcpCall({ server, name, input = {} }: ProofToolCall): SpelledToolCall {
  return { name: `mcp__${server}__${name}`, input };
}

/** `other` is a tool by its own name. Undefined when the agent has no such tool. */
export function proofOtherCall({ tool, name, input = {} }: ProofToolCall): SpelledToolCall | undefined {
  return tool === "other" && name !== undefined ? { name, input } : undefined;
}

/** Inputs as Claude Code and the agents derived from it name them. */
const inputs: Readonly<Record<string, (call: ProofToolCall) => object>> = {
  read: ({ path }) => ({ file_path: path }),
  write: ({ path, text = "" }) => ({ file_path: path, content: text }),
  edit: ({ path, from = "", to = "" }) => ({ file_path: path, old_string: from, new_string: to }),
  grep: ({ path, text = "" }) => ({ pattern: text, ...(path && { path }) }),
  shell: ({ command, background }) => ({ command, description: "Run a command", run_in_background: background }),
  task: proofTask,
  question: (call) => ({ questions: [proofQuestion(call)] }),
  plan: ({ plan }) => (plan === undefined ? {} : { plan }),
  web_fetch: ({ path, prompt = "What does it say?" }) => ({ url: path, prompt }),
  web_search: ({ text = "" }) => ({ query: text }),
};

export function proofCall(
  names: Readonly<Partial<Record<ProofToolCall["tool"], string>>>,
  call: ProofToolCall,
): SpelledToolCall | undefined {
  if (call.tool === "mcp") return proofMcpCall(call);
  const name = names[call.tool];
  return name === undefined ? proofOtherCall(call) : { name, input: { ...inputs[call.tool]?.(call) } };
}

/**
 * Cursor's program and service cannot be pointed at a scripted model, so these are the tools of their stand-ins
 * (`test/stand-ins/agent-loop`).
 */
const standInTools: Partial<Record<ProofToolCall["tool"], (call: ProofToolCall) => SpelledToolCall>> = {
  read: ({ path }) => ({ name: "read_file", input: { path } }),
  write: ({ path, text = "" }) => ({ name: "write_file", input: { path, text } }),
  edit: ({ path, from, to = "" }) => ({ name: "edit_file", input: { path, old: from, new: to } }),
  delete: ({ path }) => ({ name: "delete_file", input: { path } }),
  list: ({ path }) => ({ name: "list_dir", input: { path } }),
  glob: ({ text }) => ({ name: "glob_file_search", input: { pattern: text || "*" } }),
  grep: ({ text = "" }) => ({ name: "grep", input: { pattern: text } }),
  shell: ({ command = "true", background }) => ({ name: "run_terminal_cmd", input: { command, background } }),
  web_fetch: ({ path, text = "" }) => ({ name: "web_fetch", input: { url: path ?? text } }),
  web_search: ({ text = "" }) => ({ name: "web_search", input: { query: text } }),
  task: ({ prompt = "", background }) => ({
    name: "task",
    input: { description: "Part of the work", prompt, background },
  }),
  question: ({ question = "Which one?", choices = ["Yes", "No"] }) => ({
    name: "ask_question",
    input: { question, options: choices },
  }),
  plan: ({ plan = "" }) => ({ name: "create_plan", input: { plan } }),
  mcp: ({ server, name, input = {} }) => ({ name: "call_mcp_tool", input: { server, tool: name, arguments: input } }),
};

export function standInCall(call: ProofToolCall): SpelledToolCall | undefined {
  return standInTools[call.tool]?.(call) ?? proofOtherCall(call);
}
