import { describe, expect, it } from "vitest";
import { describeRequest } from "./permission.ts";

describe("describeRequest", () => {
  it("shows the diff, if there is one", () => {
    const diff = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n";
    expect(describeRequest({ diff, input: { path: "x" } })).toEqual([
      { text: "  --- a/x", style: "dim" },
      { text: "  +++ b/x", style: "dim" },
      { text: "  @@ -1 +1 @@", style: "cyan" },
      { text: "  -old", style: "red" },
      { text: "  +new", style: "green" },
    ]);
  });

  it("shows a long command in full, although its title is cut", () => {
    const command = `echo ${"x".repeat(200)}; rm -rf build`;
    expect(describeRequest({ input: { command } })).toEqual([{ text: `  command: ${command}` }]);
  });

  it("shows the plan as written, and the other fields", () => {
    const input = { plan: "# The plan\n\n1. Look\n", file: "plan.md" };
    expect(describeRequest({ tool: "plan", input }).map(({ text }) => text)).toEqual([
      "  # The plan",
      "",
      "  1. Look",
      "  file: plan.md",
    ]);
  });

  it("shows every field of any other input", () => {
    expect(
      describeRequest({ input: { path: "a", text: "1\n2", deep: { n: 1 } }, mcp: { server: "s", tool: "t" } }).map(
        ({ text }) => text,
      ),
    ).toEqual(["  MCP server s, tool t", "  path: a", "  text: 1", "    2", "  deep: {", '      "n": 1', "    }"]);
    expect(describeRequest({ input: "plain" })).toEqual([{ text: "  plain" }]);
  });
});
