import { fc } from "../../test/support/fast-check.ts";
import { describe, expect, it } from "vitest";
import { titleOf } from "./titles.ts";
import { type CanonicalInput, type Tool, tools } from "./tools.ts";

const context = { cwd: "/work/app", nativeName: "native_tool" };
const title = (tool: Tool, input: CanonicalInput): string => titleOf(tool, input, context);

it.each<[Tool, CanonicalInput, string]>([
  ["read", { path: "/work/app/src/a.ts" }, "Read src/a.ts"],
  ["write", { path: "./a.ts" }, "Write a.ts"],
  ["edit", { path: "src/app.ts" }, "Edit src/app.ts"],
  ["edit", { paths: ["/work/app/a", "b", "b"] }, "Edit a, b"],
  ["edit", { paths: ["a", "b", "c", "d", "e"] }, "Edit a, b, c +2 more"],
  ["delete", { path: "/etc/hosts" }, "Delete /etc/hosts"],
  ["move", { path: "/work/app/a.ts", to: "/work/app/b.ts" }, "Rename a.ts → b.ts"],
  ["move", { path: "a.ts" }, "Rename a.ts"],
  ["list", { path: "/work/app" }, "List ."],
  ["list", { path: "/work/app/" }, "List ."],
  ["list", { path: "/work/apple" }, "List /work/apple"],
  ["glob", { pattern: "**/*.ts", path: "/work/app/src" }, "Find **/*.ts in src"],
  ["grep", { pattern: "a b", path: undefined }, "Search a b"],
  ["grep", { query: "where" }, "Search where"],
  ["shell", { command: "npm test" }, "Run npm test"],
  ["shell", { command: "", description: "Runs the tests" }, "Runs the tests"],
  ["web_search", { query: "weather" }, "Search the web: weather"],
  ["web_fetch", { url: "https://example.com/" }, "Fetch https://example.com/"],
  ["plan", { description: "three steps" }, "Plan: three steps"],
  ["task", { description: "look around" }, "Task: look around"],
  ["question", { description: "Which one?" }, "Ask: Which one?"],
  ["notebook", { path: "a.ipynb" }, "Edit notebook a.ipynb"],
  ["mcp", { server: "files", name: "stat" }, "files: stat"],
  ["mcp", {}, "native_tool"],
  ["memory", { description: "likes tea" }, "Remember: likes tea"],
  ["image", { path: "a.png" }, "Image: a.png"],
  ["mode", { name: "plan" }, "Switch mode: plan"],
  ["other", { description: "does a thing" }, "native_tool: does a thing"],
  ["other", {}, "native_tool"],
])("%s %j is %j", (tool, input, expected) => expect(title(tool, input)).toBe(expected));

describe("long values", () => {
  it("keeps the last two parts of a path", () => {
    const path = "/work/app/packages/some-quite-long-name/src/components/button.tsx";
    expect(title("read", { path })).toBe("Read …/components/button.tsx");
    expect(title("read", { path: `${"a".repeat(30)}/${"b".repeat(30)}` })).toBe(
      `Read ${"a".repeat(30)}/${"b".repeat(30)}`,
    );
  });

  it("keeps the first 40 characters of a command", () => {
    const command = title("shell", { command: `echo ${"x".repeat(100)}` }).slice("Run ".length);
    expect(command).toBe(`echo ${"x".repeat(34)}…`);
    expect(command).toHaveLength(40);
  });

  it("cuts the title at 80 columns", () => {
    expect(title("web_fetch", { url: `https://example.com/${"x".repeat(200)}` })).toHaveLength(80);
    expect(title("web_search", { query: "漢字".repeat(60) })).toBe(`Search the web: ${"漢字".repeat(15)}漢…`);
  });
});

it("returns one line without control characters", () => {
  expect(title("shell", { command: "printf '\u001b[31m'\r\n\tls\u0007 \u202e-l" })).toBe("Run printf '' ls -l");
});

it("understands backslashes in paths", () => {
  expect(titleOf("read", { path: "C:\\app\\src\\a.ts" }, { cwd: "C:\\app", nativeName: "" })).toBe("Read src\\a.ts");
});

it("returns a title for any input, even one of the wrong type", () => {
  const field = fc.oneof(fc.string(), fc.constant(undefined), fc.jsonValue() as fc.Arbitrary<string>);
  const input = fc.record({ path: field, paths: field, to: field, command: field, description: field, name: field });
  fc.assert(
    fc.property(fc.constantFrom(...tools), input, fc.string(), (tool, given, nativeName) => {
      const line = titleOf(tool, given as unknown as CanonicalInput, { cwd: "/", nativeName });
      expect(line).toMatch(/^[^\n\x00-\x1f\x7f]{1,80}$/u);
    }),
  );
});
