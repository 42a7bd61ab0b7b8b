import { expect, test } from "vitest";
import { commandOf } from "./command.ts";
import { isSupported, minimalVersion, unsupportedVersion, versionIn } from "./version.ts";

test("the command is claude, or what the variable says", () => {
  expect(commandOf({})).toEqual({ path: "claude", args: [] });
  expect(commandOf({ REINS_CLAUDE_COMMAND: " " })).toEqual({ path: "claude", args: [] });
  expect(commandOf({ REINS_CLAUDE_COMMAND: "/opt/my tools/claude" })).toEqual({
    path: "/opt/my tools/claude",
    args: [],
  });
  expect(commandOf({ REINS_CLAUDE_COMMAND: '["node","/opt/cli.js","--x"]' })).toEqual({
    path: "node",
    args: ["/opt/cli.js", "--x"],
  });
});

test.for(["[", "[]", "[1]", '[""]', '["node"'])("%s is refused", (given) => {
  expect(() => commandOf({ REINS_CLAUDE_COMMAND: given })).toThrow(expect.objectContaining({ code: "invalid_input" }));
});

test("versions are compared by number", () => {
  expect(versionIn("2.1.325 (Claude Code)")).toBe("2.1.325");
  expect(versionIn("hello")).toBeUndefined();
  expect(isSupported(minimalVersion)).toBe(true);
  expect(isSupported("10.0.0")).toBe(true);
  expect(isSupported("1.99.999")).toBe(false);
  expect(isSupported("2")).toBe(false);
  expect(unsupportedVersion("1.0.3")).toMatchObject({ code: "version_unsupported", agent: "claude" });
});
