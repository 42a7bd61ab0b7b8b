import { expect, test } from "vitest";
import { expectSameTools } from "../../../test/support/proof-tools.ts";
import { proof } from "./proof.ts";
import { canonicalTool } from "./tools.ts";

test("turns a canonical call into a call of the same tool", () => {
  expectSameTools(proof, canonicalTool);
  expect(proof.toolCall({ tool: "delete", path: "/w/a" })).toBeUndefined();
  expect(proof.toolCall({ tool: "other" })).toBeUndefined();
});

test("points the agent at the scripted model with a made-up key", () => {
  expect(proof.env("http://127.0.0.1:1")).toMatchObject({ OPENAI_BASE_URL: "http://127.0.0.1:1/v1" });
});
