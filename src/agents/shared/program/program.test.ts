import { expect, test } from "vitest";
import { commandOf, isSupported, requireVersion, unsupportedVersion, type Program } from "./program.ts";
import { variableOf } from "../../variable.ts";
import { isAtLeast, versionIn } from "./version.ts";

const program: Program = {
  id: "some-agent",
  name: "Some Agent",
  command: "some",
  installHelp: "Install it.",
  updateHelp: "Update it.",
  minimalVersion: "2.1.300",
};
const command = (given: string) => commandOf(program, { REINS_SOME_AGENT_COMMAND: given });

test("uses the program's name or the command in the variable", () => {
  expect(variableOf("some-agent", "MODEL")).toBe("REINS_SOME_AGENT_MODEL");
  expect(commandOf(program, {})).toEqual({ path: "some", args: [] });
  expect(command(" ")).toEqual({ path: "some", args: [] });
  expect(command("/opt/my tools/some")).toEqual({ path: "/opt/my tools/some", args: [] });
  expect(command('["node","/opt/cli.js","--x"]')).toEqual({ path: "node", args: ["/opt/cli.js", "--x"] });
});

test.for(["[", "[]", "[1]", '[""]', '["node"'])("rejects %s", (given) => {
  expect(() => command(given)).toThrow(expect.objectContaining({ code: "invalid_input" }));
});

test("compares versions by number", () => {
  expect(versionIn("2.1.325 (Some Agent)")).toBe("2.1.325");
  expect(versionIn("hello")).toBeUndefined();
  expect(isAtLeast("2.1.300", "2.1.300")).toBe(true);
  expect(isSupported(program, "10.0.0")).toBe(true);
  expect(isSupported(program, "1.99.999")).toBe(false);
  expect(isSupported(program, "2")).toBe(false);
  expect(isSupported({ ...program, minimalVersion: undefined }, "0.0.1")).toBe(true);
});

test("explains in one sentence that a program is too old and how to update it", () => {
  expect(unsupportedVersion(program, "1.0.3")).toMatchObject({
    code: "version_unsupported",
    agent: "some-agent",
    message: "Some Agent 1.0.3 is older than the oldest version Reins works with (2.1.300).",
    help: "Update it.",
  });
  expect(unsupportedVersion(program).message).toMatch(/^This Some Agent is older /);
  expect(() => requireVersion(program, "some/1.0.3 (Linux)")).toThrow("Some Agent 1.0.3 is older");
  for (const fine of ["2.1.300", "3.0.0-beta", "a build of our own", undefined]) requireVersion(program, fine);
});
