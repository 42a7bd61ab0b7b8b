import { expect, test } from "vitest";
import { fc } from "../../../test/support/fast-check.ts";
import { mcpServersIn, mcpToolsIn } from "./mcp.ts";

test.for([
  ["files: ready", { name: "files", status: "connected" }],
  ["files: not loaded (needs approval)", { name: "files", status: "disabled", detail: "not loaded (needs approval)" }],
  ["files: disabled", { name: "files", status: "disabled", detail: "disabled" }],
  ["web: requires_authentication", { name: "web", status: "needs_login", detail: "requires_authentication" }],
  ["web: Error: Connection failed", { name: "web", status: "failed", detail: "Connection failed" }],
  ["odd: name: not loaded (needs approval)", { name: "odd: name", status: "disabled" }],
  ["\u001b[33m○ files: loading\u001b[0m", { name: "files", status: "unknown", detail: "loading" }],
  ["files: resting", { name: "files", status: "unknown", detail: "resting" }],
] as const)("%j is a server", ([line, server]) => {
  expect(mcpServersIn(`Loading MCPs...\n${line}\n`)).toMatchObject([server]);
});

test.for([
  "No MCP servers configured (expected in .cursor/mcp.json or ~/.cursor/mcp.json)\n",
  "Tip: run something else\n",
  ": ready",
  "",
])("%j is none", (said) => {
  expect(mcpServersIn(said)).toEqual([]);
});

test("tools, with what they take", () => {
  const printed = "Tools for files (3):\n- look ()\n- copy (from, to)\n- odd\n";
  expect(mcpToolsIn(printed)).toEqual([
    { name: "look", parameters: [] },
    { name: "copy", parameters: ["from", "to"] },
    { name: "odd", parameters: [] },
  ]);
});

test("anything at all is read", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(":", " ", "a", "ready", "\n", "- ", "(", ")", "Error")), (words) => {
      const said = words.join("");
      expect(mcpServersIn(said).every(({ name }) => name !== "")).toBe(true);
      expect(mcpToolsIn(said).every(({ name }) => name !== "")).toBe(true);
    }),
  );
});
