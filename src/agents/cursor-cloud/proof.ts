/** How to point it at a scripted model: through a service of its own on this machine, which stands in for the real one. Everything is made up. */
import type { Proof, ProofToolCall, SpelledToolCall } from "../contract.ts";
import { keyVariable, urlVariable } from "./settings.ts";

/**
 * `env` gets the address of that service, and not of the model: so it is no part of the agent, and `reins doctor --prove`, which has only a
 * model, does not try this one.
 */
export const proof: Proof = {
  speaks: "openai-chat",
  env: (serviceUrl) => ({ [urlVariable]: serviceUrl, [keyVariable]: "crsr_made-up-for-a-scripted-model" }),
  models: ["scripted-1", "scripted-2"],
  toolCall,
};

function toolCall(call: ProofToolCall): SpelledToolCall | undefined {
  const { path, text = "", from, to = "", command, server, name, input } = call;
  switch (call.tool) {
    case "read":
      return { name: "read_file", input: { path } };
    case "write":
      return { name: "write_file", input: { path, text } };
    case "edit":
      return { name: "edit_file", input: { path, old: from, new: to } };
    case "delete":
      return { name: "delete_file", input: { path } };
    case "shell":
      return call.background === true ? undefined : { name: "run_terminal_cmd", input: { command } };
    case "grep":
      return { name: "grep", input: { pattern: text } };
    case "glob":
      return { name: "glob_file_search", input: { pattern: text || "*" } };
    case "list":
      return { name: "list_dir", input: { path } };
    case "web_fetch":
      return { name: "web_fetch", input: { url: path ?? text } };
    case "mcp":
      return { name: "call_mcp_tool", input: { server, tool: name, arguments: input } };
    case "other":
      return name === undefined ? undefined : { name, input: input ?? {} };
    default:
      return undefined;
  }
}
