import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import type { Tool } from "../../events/tools.ts";
import { Compiled } from "./compile.ts";
import { ruleFromCall } from "./rule-from-call.ts";

const cwd = realpathSync(mkdtempSync(join(tmpdir(), "reins-offer-")));
mkdirSync(join(cwd, "build"));
afterAll(() => rmSync(cwd, { recursive: true }));
const compiled = new Compiled([], "demo", { cwd });
const offered = (input: unknown) => ruleFromCall({ tool: "shell", input }, compiled)?.command;

it("allows exactly this command", () => {
  expect(offered({ command: "rm -r out" })).toBe("rm -r out");
  expect(offered({ command: "rm -r out", workdir: cwd })).toBe("rm -r out");
  expect(offered({ command: "npm run a && npm test" })).toEqual(["npm run a", "npm test"]);
});

it.each([
  { command: "cd build && rm -r out" },
  { command: "cd / && rm -r out" },
  { command: "rm -r out", workdir: "build" },
  { command: "git log", env: { GIT_PAGER: "./a" } },
])("offers no rule for a command with another effect elsewhere: %j", (input) => {
  expect(offered(input)).toBeUndefined();
});

it.each([
  "git apply <<'EOF'\n--- a\nEOF",
  "sort < a.txt",
  "cat <<< x",
  "{ sort; } < a.txt",
  "git commit -F - <<'EOF'\na\nEOF",
])("offers no rule for a command whose input the rule could not name: %j", (command) =>
  expect(offered({ command })).toBeUndefined(),
);

const from = (tool: Tool, input: unknown) => ruleFromCall({ tool, input }, compiled);

it("allows exactly these files, hosts, MCP tool or searches", () => {
  expect(from("write", { path: "a.txt" })).toEqual({ decision: "allow", tool: "write", path: "a.txt" });
  expect(from("read", { path: join(cwd, "what*.txt") })).toMatchObject({ path: "what\\*.txt" });
  expect(from("move", { path: "a", to: "b" })).toMatchObject({ path: ["a", "b"] });
  expect(from("web_fetch", { url: "https://a.test/x" })).toEqual({
    decision: "allow",
    tool: "web_fetch",
    domain: ["a.test"],
  });
  expect(from("web_search", { query: "x" })).toEqual({ decision: "allow", tool: "web_search" });
  const mcp = { server: "git*", tool: "get" };
  expect(ruleFromCall({ tool: "mcp", input: {}, mcp }, compiled)).toEqual({ decision: "allow", mcp: "git\\*/get" });
});

it("offers no rule for protected, outside, unnamed, long or writing calls", () => {
  expect(from("write", { path: ".env" })).toBeUndefined();
  expect(from("write", { path: "/etc/passwd" })).toBeUndefined();
  expect(from("task", { prompt: "x" })).toBeUndefined();
  expect(from("read", { paths: ["a", "b", "c", "d", "e"] })).toBeUndefined();
  expect(offered({ command: "ls *.ts" })).toBeUndefined();
  expect(offered({ command: "ls > out" })).toBeUndefined();
  expect(offered({})).toBeUndefined();
});
