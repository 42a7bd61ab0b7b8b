import { homedir } from "node:os";
import { expect, test } from "vitest";
import { stateHome } from "./home.ts";

test("finds the folder for the state of Reins", () => {
  expect(stateHome({ REINS_HOME: "/r", XDG_STATE_HOME: "/s" }, "linux")).toBe("/r");
  expect(stateHome({ XDG_STATE_HOME: "/s", HOME: "/h" }, "linux")).toBe("/s/reins");
  expect(stateHome({ XDG_STATE_HOME: "relative", HOME: "/h" }, "linux")).toBe("/h/.local/state/reins");
  expect(stateHome({}, "linux")).toBe(`${homedir()}/.local/state/reins`);
  expect(stateHome({ HOME: "/h" }, "darwin")).toBe("/h/Library/Application Support/reins");
  expect(stateHome({ LOCALAPPDATA: "/l" }, "win32")).toBe("/l/reins");
  expect(stateHome({ HOME: "/h" }, "win32")).toBe("/h/AppData/Local/reins");
});
