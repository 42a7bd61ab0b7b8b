import { expect, test } from "vitest";
import { printArguments } from "./print-launch.ts";

const always = ["--print", "--output-format", "stream-json", "--stream-partial-output"];

test.for([
  [{ mode: "full" }, ["--force"]],
  [{ mode: "read" }, ["--mode", "ask"]],
  [{ mode: "plan" }, ["--mode", "plan"]],
  [{ mode: "full", model: "auto" }, ["--force", "--model", "auto"]],
  [{ mode: "full", chatId: "abc" }, ["--force", "--resume", "abc"]],
  [{ mode: "full", images: ["/a.png", "/b.png"] }, ["--force", "--image", "/a.png", "--image", "/b.png"]],
  [{ mode: "full", more: ["--plugin-dir", "/p"] }, ["--force", "--plugin-dir", "/p"]],
] as const)("%j", ([turn, more]) => {
  expect(printArguments({}, {}, turn)).toEqual([...always, ...more]);
});

test("folders, the person's options and the caller's arguments come after", () => {
  const env = { REINS_CURSOR_TRUST: "1", REINS_CURSOR_SANDBOX: "enabled" };
  const options = { directories: ["/more"], extraArgs: ["--disable-auto-update"] };
  expect(printArguments(env, options, { mode: "read" })).toEqual([
    ...[...always, "--mode", "ask", "--add-dir", "/more", "--sandbox", "enabled", "--trust", "--disable-auto-update"],
  ]);
});

test("the latest conversation of the folder is gone on with where nobody names another", () => {
  const env = { REINS_CURSOR_CONTINUE: "1" };
  expect(printArguments(env, {}, { mode: "full" })).toContain("--continue");
  expect(printArguments(env, {}, { mode: "full", chatId: "abc" })).not.toContain("--continue");
});

test("nothing that widens gets through", () => {
  expect(() => printArguments({}, { extraArgs: ["--force"] }, { mode: "read" })).toThrow("--force");
});
