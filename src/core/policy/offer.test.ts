import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { Compiled } from "./compile.ts";
import { ruleFrom } from "./offer.ts";

const cwd = realpathSync(mkdtempSync(join(tmpdir(), "reins-offer-")));
mkdirSync(join(cwd, "build"));
afterAll(() => rmSync(cwd, { recursive: true }));
const compiled = new Compiled([], "demo", { cwd });
const offered = (input: unknown) => ruleFrom({ tool: "shell", input }, compiled)?.command;

it("is for the very command", () => {
  expect(offered({ command: "rm -r out" })).toBe("rm -r out");
  expect(offered({ command: "rm -r out", workdir: cwd })).toBe("rm -r out");
  expect(offered({ command: "npm run a && npm test" })).toEqual(["npm run a", "npm test"]);
});

it.each([
  { command: "cd build && rm -r out" },
  { command: "cd / && rm -r out" },
  { command: "rm -r out", workdir: "build" },
  { command: "git log", env: { GIT_PAGER: "./a" } },
])("is for none that does something else than the same words do here: %j", (input) => {
  expect(offered(input)).toBeUndefined();
});
