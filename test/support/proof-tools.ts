import { expect } from "vitest";
import type { Proof } from "../../src/agents/contract.ts";
import { tools, type Tool } from "../../src/events/tools.ts";

/** Every canonical call that the agent has a tool for maps back to the same canonical tool. */
export function expectSameTools(proof: Proof, canonicalTool: (nativeName: string) => Tool): void {
  const call = {
    path: "/w/a",
    text: "t",
    from: "a",
    to: "b",
    command: "ls",
    prompt: "p",
    server: "files",
    name: "look",
  };
  for (const tool of tools) {
    const made = proof.toolCall({ ...call, tool });
    if (made !== undefined) expect([tool, canonicalTool(made.name)]).toEqual([tool, tool]);
  }
}
