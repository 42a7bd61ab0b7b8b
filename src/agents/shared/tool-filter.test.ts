import { expect, test } from "vitest";
import type { OpenOptions } from "../contract.ts";
import { program } from "../opencode/program.ts";
import { nativeToolNames } from "../opencode/tools.ts";
import { ToolNames } from "./tool-filter.ts";

const names = (tools?: OpenOptions["tools"], state?: string) =>
  new ToolNames({ tools, state }, program, nativeToolNames);

test("translates a filter to the agent's own names for the prompts it applies to", () => {
  const filtered = names({ allowed: ["shell"], disallowed: ["web_fetch"], first: { disallowed: ["edit"] } });
  const say = () => ["apply_patch", "webfetch", "bash"].map((name) => filtered.filterOf(name));
  filtered.prompted();
  expect(say()).toEqual(["disallowed", undefined, undefined]);
  filtered.prompted();
  expect(say()).toEqual([undefined, "disallowed", "allowed"]);
});

test("applies no first-prompt filter to a resumed conversation", () => {
  const resumed = names({ first: { disallowed: ["edit"] } }, "opencode:1:x");
  resumed.prompted();
  expect(resumed.filterOf("edit")).toBeUndefined();
});

test("disallows a tool that is in both lists, and returns no filter without one", () => {
  expect(names({ allowed: ["bash"], disallowed: ["bash"] }).filterOf("bash")).toBe("disallowed");
  expect(names().filterOf("bash")).toBeUndefined();
});

test("rejects a rule where a name is expected", () => {
  expect(() => names({ allowed: ["shell(git *)"] })).toThrow(expect.objectContaining({ code: "invalid_input" }));
});
