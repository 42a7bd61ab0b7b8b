import type { Tool } from "../../events/tools.ts";

/** What a person types, as an agent would hand it to the tool, and what to call it. */
export function trialInput(tool: Tool, text: string): { readonly label: string; readonly input: unknown } {
  switch (tool) {
    case "shell":
      return { label: "Command", input: { command: text } };
    case "web_fetch":
      return { label: "Address", input: { url: text } };
    default:
      return { label: "Path", input: { path: text } };
  }
}
