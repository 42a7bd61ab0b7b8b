/** Calls as the model of the stand-ins' own loop makes them (`src/testing/stand-ins/agent-loop`), for agents whose program cannot be had. */
import type { ProofToolCall, SpelledToolCall } from "../contract.ts";
import { proofOtherCall } from "./proof-calls.ts";

export function standInCall(call: ProofToolCall): SpelledToolCall | undefined {
  const { path, text, prompt, background } = call;
  switch (call.tool) {
    case "read":
      return { name: "read_file", input: { path } };
    case "write":
      return { name: "write_file", input: { path, text: text ?? "" } };
    case "edit":
      return { name: "edit_file", input: { path, old: call.from, new: call.to ?? "" } };
    case "delete":
      return { name: "delete_file", input: { path } };
    case "list":
      return { name: "list_dir", input: { path } };
    case "glob":
      return { name: "glob_file_search", input: { pattern: text ?? "*" } };
    case "grep":
      return { name: "grep", input: { pattern: text ?? "" } };
    case "shell":
      return { name: "run_terminal_cmd", input: { command: call.command ?? "true", background } };
    case "web_fetch":
      return { name: "web_fetch", input: { url: path } };
    case "web_search":
      return { name: "web_search", input: { query: text ?? "" } };
    case "task":
      return { name: "task", input: { description: "Part of the work", prompt: prompt ?? "", background } };
    case "question":
      return {
        name: "ask_question",
        input: { question: call.question ?? "Which one?", options: call.choices ?? ["Yes", "No"] },
      };
    case "plan":
      return { name: "create_plan", input: { plan: call.plan ?? "" } };
    case "mcp":
      return { name: "call_mcp_tool", input: { server: call.server, tool: call.name, arguments: call.input ?? {} } };
    default:
      return proofOtherCall(call);
  }
}
