import { expect, test } from "vitest";
import { tools } from "../../events/tools.ts";
import { proof } from "./proof.ts";
import { canonicalTool } from "./tools.ts";

test("a canonical call becomes a call of the same canonical tool", () => {
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
  expect(proof.toolCall({ tool: "delete", path: "/w/a" })).toBeUndefined();
  expect(proof.toolCall({ tool: "other" })).toBeUndefined();
});

test("the agent is led to the scripted model with a made-up key", () => {
  expect(proof.env("http://127.0.0.1:1")).toMatchObject({ OPENAI_BASE_URL: "http://127.0.0.1:1/v1" });
});
