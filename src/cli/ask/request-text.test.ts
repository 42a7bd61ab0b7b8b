import { describe, expect, it } from "vitest";
import { describeRequest } from "./permission.ts";

describe("what a permission is about", () => {
  it("is the diff where there is one", () => {
    const diff = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n";
    expect(describeRequest({ diff, input: { path: "x" } })).toEqual([
      { text: "  --- a/x", style: "dim" },
      { text: "  +++ b/x", style: "dim" },
      { text: "  @@ -1 +1 @@", style: "cyan" },
      { text: "  -old", style: "red" },
      { text: "  +new", style: "green" },
    ]);
  });

  it("is the whole of a long command, which its title cuts", () => {
    const command = `echo ${"x".repeat(200)}; rm -rf build`;
    expect(describeRequest({ input: { command } })).toEqual([{ text: `  command: ${command}` }]);
  });

  it("is the plan as it was written, and what else there is", () => {
    const input = { plan: "# The plan\n\n1. Look\n", file: "plan.md" };
    expect(describeRequest({ tool: "plan", input }).map(({ text }) => text)).toEqual([
      "  # The plan",
      "",
      "  1. Look",
      "  file: plan.md",
    ]);
  });

  it("is every field of any other input", () => {
    expect(
      describeRequest({ input: { path: "a", text: "1\n2", deep: { n: 1 } }, mcp: { server: "s", tool: "t" } }).map(
        ({ text }) => text,
      ),
    ).toEqual(["  MCP server s, tool t", "  path: a", "  text: 1", "    2", "  deep: {", '      "n": 1', "    }"]);
    expect(describeRequest({ input: "plain" })).toEqual([{ text: "  plain" }]);
  });
});
