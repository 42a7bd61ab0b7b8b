import { expect, test } from "vitest";
import { printArguments } from "./print-launch.ts";

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
] as const)("%j", ([turn, more]) => {
  expect(printArguments({}, { cwd }, turn)).toEqual([...always, ...more]);
});

test("folders, the person's options and the caller's arguments come after", () => {
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

test("the latest conversation of the folder is gone on with where nobody names another", () => {
  const env = { REINS_CURSOR_CONTINUE: "1" };
  expect(printArguments(env, { cwd }, { mode: "full" })).toContain("--continue");
  expect(printArguments(env, { cwd }, { mode: "full", chatId: "abc" })).not.toContain("--continue");
});

test("with a worktree of its own it is not told to work in the folder", () => {
  const args = printArguments({ REINS_CURSOR_WORKTREE: "try" }, { cwd }, { mode: "full" });
  expect(args).toContain("--worktree=try");
  expect(args).not.toContain("--workspace");
});

test("nothing that widens gets through", () => {
  expect(() => printArguments({}, { cwd, extraArgs: ["--force"] }, { mode: "read" })).toThrow("--force");
});
