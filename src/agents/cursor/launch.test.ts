import { expect, test } from "vitest";
import { isReinsError, type ReinsError } from "../../events/errors.ts";
import { printArguments, sharedArguments } from "./launch.ts";
import { environmentOf } from "./program.ts";

const given = (env: Record<string, string>, options = {}) => sharedArguments(env, options);

test("adds no options by itself", () => {
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
] as const)("converts %j", ([env, args]) => {
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
])("rejects %j", (env) => {
  expect(() => given(env as Record<string, string>)).toThrow(expect.objectContaining({ code: "invalid_input" }));
});

test("does not repeat an invalid headers object, which may hold a secret", () => {
  const env = { REINS_CURSOR_HEADERS: '{"Authorization":"Bearer hidden"' };
  expect(() => given(env)).toThrow(expect.objectContaining({ message: expect.not.stringContaining("hidden") }));
});

test.for(["nonsense", "file:///etc/passwd", "http://", "http://host.example", "http://127.evil.example"])(
  "rejects the endpoint %s",
  (endpoint) => {
    expect(() => environmentOf({ REINS_CURSOR_ENDPOINT: endpoint })).toThrow(
      expect.objectContaining({ code: "invalid_input" }),
    );
  },
);

test("passes further folders and arguments unchanged", () => {
  const options = {
    directories: ["/a b"],
    extraArgs: ["--show-thinking", "--image", "/x.png", "--new", "1", "--a=b c"],
  };
  expect(given({}, options)).toEqual(["--add-dir", "/a b", ...options.extraArgs]);
});

test.for([
  [["--force"], "--force"],
  [["--yolo"], "--yolo"],
  [["--cloud"], "--cloud"],
  [["--auth-token"], "CURSOR_API_KEY"],
  [["--header=X: y"], "REINS_CURSOR_HEADERS"],
  [["--mode=plan"], "--mode"],
  [["--resume"], "--resume"],
  [["--workspace", "/x"], "--workspace"],
  [["--add-dir", "/x"], "--add-dir"],
  [["--"], "--"],
  [["-f"], "-f"],
  [["-pf"], "short"],
  [["-fw2"], "short"],
  [["-k"], "-k"],
  [["-e", "http://x"], "-e"],
  [["--endpoint=https://x"], "REINS_CURSOR_ENDPOINT"],
  [["--trust"], "REINS_CURSOR_TRUST"],
  [["--approve-mcps"], "REINS_CURSOR_APPROVE_MCPS"],
  [["--sandbox", "disabled"], "REINS_CURSOR_SANDBOX"],
  [["--worktree"], "REINS_CURSOR_WORKTREE"],
  [["login"], "a prompt or a command"],
  [["-"], "a prompt or a command"],
  [["--image", "/x.png", "login"], "a prompt or a command"],
  [["--image=/x.png", "login"], "a prompt or a command"],
  [["--disable-auto-update", "login"], "a prompt or a command"],
  [["--new", "1", "login"], "a prompt or a command"],
  [["--image"], "lacks its value"],
  [["--plugin-dir", "--new"], "lacks its value"],
] as const)("rejects the arguments %j with %j", ([extraArgs, words]) => {
  const error = thrownBy(() => given({}, { extraArgs }));
  expect(error).toMatchObject({ code: "invalid_input" });
  expect(`${error.message} ${error.help}`).toContain(words);
});

test.for(["-HAuthorization: Bearer hidden", "--api-key=hidden", "hidden"])("does not repeat %s", (argument) => {
  const { message, help } = thrownBy(() => given({}, { extraArgs: [argument] }));
  expect(`${message} ${help}`).not.toContain("hidden");
});

function thrownBy(does: () => unknown): ReinsError {
  try {
    does();
  } catch (error) {
    if (isReinsError(error)) return error;
  }
  throw new Error("Nothing was refused.");
}

test("passes only declared variables and never opens a browser", () => {
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
  for (const endpoint of ["https://host.example/path", "http://localhost:1", "http://[::1]:1"])
    expect(environmentOf({ REINS_CURSOR_ENDPOINT: endpoint })).toMatchObject({ CURSOR_API_ENDPOINT: endpoint });
  expect(environmentOf(env, { MORE: "1" })).toMatchObject({ MORE: "1" });
});

const cwd = "/work";
const here = ["--workspace", cwd];
const always = ["--print", "--output-format", "stream-json", "--stream-partial-output"];

test.for([
  [{ mode: "full" }, ["--force", ...here]],
  [{ mode: "read" }, ["--mode", "ask", ...here]],
  [{ mode: "plan" }, ["--mode", "plan", ...here]],
  [{ mode: "full", model: "auto" }, ["--force", "--model", "auto", ...here]],
  [{ mode: "full", chatId: "abc" }, ["--force", "--resume", "abc", ...here]],
  [{ mode: "full", images: ["/a.png", "/b.png"] }, ["--force", ...here, "--image", "/a.png", "--image", "/b.png"]],
  [{ mode: "full", more: ["--plugin-dir", "/p"] }, ["--force", ...here, "--plugin-dir", "/p"]],
] as const)("converts %j", ([turn, more]) => {
  expect(printArguments({}, { cwd }, turn)).toEqual([...always, ...more]);
});

test("puts folders, the user's options and the caller's arguments last", () => {
  const env = { REINS_CURSOR_TRUST: "1", REINS_CURSOR_SANDBOX: "enabled" };
  const options = { cwd, directories: ["/more"], extraArgs: ["--disable-auto-update"] };
  expect(printArguments(env, options, { mode: "read" })).toEqual([
    ...[
      ...always,
      "--mode",
      "ask",
      ...here,
      "--add-dir",
      "/more",
      "--sandbox",
      "enabled",
      "--trust",
      "--disable-auto-update",
    ],
  ]);
});

test("resumes the latest conversation of the folder when none is named", () => {
  const env = { REINS_CURSOR_CONTINUE: "1" };
  expect(printArguments(env, { cwd }, { mode: "full" })).toContain("--continue");
  expect(printArguments(env, { cwd }, { mode: "full", chatId: "abc" })).not.toContain("--continue");
});

test("does not set the workspace with a worktree of its own", () => {
  const args = printArguments({ REINS_CURSOR_WORKTREE: "try" }, { cwd }, { mode: "full" });
  expect(args).toContain("--worktree=try");
  expect(args).not.toContain("--workspace");
});

test("lets no widening option through", () => {
  expect(() => printArguments({}, { cwd, extraArgs: ["--force"] }, { mode: "read" })).toThrow("--force");
});
