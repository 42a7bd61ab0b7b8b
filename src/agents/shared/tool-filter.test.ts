import { expect, test } from "vitest";
import type { OpenOptions } from "../contract.ts";
import { program } from "../opencode/program.ts";
import { nativeToolNames } from "../opencode/tools.ts";
import { ToolNames } from "./tool-filter.ts";

const names = (tools?: OpenOptions["tools"], state?: string) =>
  new ToolNames({ tools, state }, program, nativeToolNames);

test("a filter holds for the prompts it is for, in the agent's own names", () => {
  const filtered = names({ allowed: ["shell"], disallowed: ["web_fetch"], first: { disallowed: ["edit"] } });
  const say = () => ["apply_patch", "webfetch", "bash"].map((name) => filtered.filterOf(name));
  filtered.prompted();
  expect(say()).toEqual(["disallowed", undefined, undefined]);
  filtered.prompted();
  expect(say()).toEqual([undefined, "disallowed", "allowed"]);
});

test("a conversation that goes on had its first prompt", () => {
  const resumed = names({ first: { disallowed: ["edit"] } }, "opencode:1:x");
  resumed.prompted();
  expect(resumed.filterOf("edit")).toBeUndefined();
});

test("a tool that is both is disallowed; without a filter there is none", () => {
  expect(names({ allowed: ["bash"], disallowed: ["bash"] }).filterOf("bash")).toBe("disallowed");
  expect(names().filterOf("bash")).toBeUndefined();
});

test("a rule is no name", () => {
  expect(() => names({ allowed: ["shell(git *)"] })).toThrow(expect.objectContaining({ code: "invalid_input" }));
});
