import { expect, test } from "vitest";
import { environmentOf } from "./environment.ts";
import { sharedArguments } from "./options.ts";

const given = (env: Record<string, string>, options = {}) => sharedArguments(env, options);

test("nothing is asked for by itself", () => {
  expect(given({})).toEqual([]);
  expect(given({ REINS_CURSOR_SANDBOX: " ", REINS_CURSOR_TRUST: "0", REINS_CURSOR_WORKTREE: "0" })).toEqual([]);
});

test.for([
  [{ REINS_CURSOR_SANDBOX: "enabled" }, ["--sandbox", "enabled"]],
  [{ REINS_CURSOR_APPROVE_MCPS: "1" }, ["--approve-mcps"]],
  [{ REINS_CURSOR_BROWSER: "1" }, ["--browser"]],
  [{ REINS_CURSOR_TRUST: "1" }, ["--trust"]],
  [{ REINS_CURSOR_WORKTREE: "1" }, ["--worktree"]],
  [
    { REINS_CURSOR_WORKTREE: "try", REINS_CURSOR_WORKTREE_BASE: "main", REINS_CURSOR_SKIP_WORKTREE_SETUP: "1" },
    ["--worktree=try", "--worktree-base", "main", "--skip-worktree-setup"],
  ],
  [{ REINS_CURSOR_HEADERS: '{"X-Team":"blue","X-B":"c: d"}' }, ["--header", "X-Team: blue", "--header", "X-B: c: d"]],
] as const)("%j", ([env, args]) => {
  expect(given(env)).toEqual(args);
});

test.for([
  { REINS_CURSOR_SANDBOX: "yes" },
  { REINS_CURSOR_TRUST: "please" },
  { REINS_CURSOR_WORKTREE: "--force" },
  { REINS_CURSOR_WORKTREE: "a", REINS_CURSOR_WORKTREE_BASE: "-f" },
  { REINS_CURSOR_HEADERS: "[1]" },
  { REINS_CURSOR_HEADERS: "X: y" },
  { REINS_CURSOR_HEADERS: '{"X":1}' },
  { REINS_CURSOR_HEADERS: '{"X Y":"z"}' },
  { REINS_CURSOR_HEADERS: '{"X":"a\\r\\nY: b"}' },
  { REINS_CURSOR_HEADERS: '{"Authorization":"Bearer x"}' },
  { REINS_CURSOR_HEADERS: '{"X-Auth":"x"}' },
  { REINS_CURSOR_HEADERS: '{"X-Team":"Bearer x"}' },
  { REINS_CURSOR_WORKTREE_BASE: "main" },
  { REINS_CURSOR_SKIP_WORKTREE_SETUP: "maybe" },
])("%j is refused", (env) => {
  expect(() => given(env as Record<string, string>)).toThrow(expect.objectContaining({ code: "invalid_input" }));
});

test("a broken object of headers is not said again: it may hold a secret", () => {
  const env = { REINS_CURSOR_HEADERS: '{"Authorization":"Bearer hidden"' };
  expect(() => given(env)).toThrow(expect.objectContaining({ message: expect.not.stringContaining("hidden") }));
});

test.for(["nonsense", "file:///etc/passwd", "http://"])("the endpoint %s is refused", (endpoint) => {
  expect(() => environmentOf({ REINS_CURSOR_ENDPOINT: endpoint })).toThrow(
    expect.objectContaining({ code: "invalid_input" }),
  );
});

test("further folders and arguments are handed over as they are", () => {
  const options = { directories: ["/a b"], extraArgs: ["--skip-worktree-setup", "--image", "/x.png"] };
  expect(given({}, options)).toEqual(["--add-dir", "/a b", "--skip-worktree-setup", "--image", "/x.png"]);
});

test.for([
  "--force",
  "-f",
  "--yolo",
  "-pf",
  "--api-key=x",
  "--auth-token",
  "-H",
  "--header=X: y",
  "--mode=plan",
  "--resume",
  "--",
  "--cloud",
])("the argument %s is refused", (argument) => {
  expect(() => given({}, { extraArgs: [argument] })).toThrow(expect.objectContaining({ code: "invalid_input" }));
});

test("of the environment it gets what it declares, and never opens a browser", () => {
  const env = {
    PATH: "/bin",
    CURSOR_API_KEY: "k",
    CURSOR_TRACE_ID: "outer",
    OPENAI_API_KEY: "other",
    NO_OPEN_BROWSER: "0",
  };
  expect(environmentOf(env)).toEqual({ PATH: "/bin", CURSOR_API_KEY: "k", NO_OPEN_BROWSER: "1" });
  expect(
    environmentOf({ REINS_CURSOR_ENDPOINT: "http://127.0.0.1:1", CURSOR_API_ENDPOINT: "http://else" }),
  ).toMatchObject({
    CURSOR_API_ENDPOINT: "http://127.0.0.1:1",
  });
  expect(environmentOf(env, { MORE: "1" })).toMatchObject({ MORE: "1" });
});
