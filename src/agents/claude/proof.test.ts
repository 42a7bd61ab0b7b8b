import { expect, test } from "vitest";
import { expectSameTools } from "../../../test/support/proof-tools.ts";
import { proof } from "./proof.ts";
import { canonicalTool } from "./tools.ts";

test("turns a canonical call into a call of the same tool", () => {
  expectSameTools(proof, canonicalTool);
  expect(proof.toolCall({ tool: "delete", path: "/w/a" })).toBeUndefined();
  expect(proof.toolCall({ tool: "other" })).toBeUndefined();
});

test("gives each call the input the agent's tool expects", () => {
  expect(proof.toolCall({ tool: "edit", path: "/w/a", from: "a", to: "b" })).toEqual({
    name: "Edit",
    input: { file_path: "/w/a", old_string: "a", new_string: "b" },
  });
  expect(proof.toolCall({ tool: "task", prompt: "p" })?.input).toMatchObject({ prompt: "p", run_in_background: false });
  expect(proof.toolCall({ tool: "task", prompt: "p", background: true })?.input).toMatchObject({
    run_in_background: true,
  });
  expect(proof.toolCall({ tool: "question", question: "Q?", choices: ["A", "B"] })?.input).toMatchObject({
    questions: [{ question: "Q?", options: [{ label: "A" }, { label: "B" }] }],
  });
  expect(proof.toolCall({ tool: "plan" })?.input).toEqual({});
});

test("points the agent at the scripted model with a made-up key", () => {
  expect(proof.env("http://127.0.0.1:1")).toMatchObject({ ANTHROPIC_BASE_URL: "http://127.0.0.1:1" });
});
