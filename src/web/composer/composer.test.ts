import { expect, test } from "vitest";
import { commandWord, runsAtOnce } from "./commands.tsx";
import { folderName, knownFolders, offeredFolders, pathToComplete } from "./folder-field.tsx";
import type { AgentAnswer } from "../../server/schemas/agents.ts";
import { fileOptions, modeChoices } from "./pickers.tsx";

const sessions = [{ cwd: "/home/me/b" }, { cwd: "/home/me/a" }, { cwd: "/elsewhere" }];

test("lists each known folder once, within the roots", () => {
  expect(knownFolders(undefined, sessions)).toEqual([]);
  expect(knownFolders({ cwd: "/home/me/a", roots: [] }, sessions)).toEqual(["/home/me/a", "/home/me/b", "/elsewhere"]);
  expect(knownFolders({ cwd: "/srv", roots: ["/home/me/"] }, sessions)).toEqual([
    "/home/me/",
    "/home/me/b",
    "/home/me/a",
  ]);
  expect(knownFolders({ cwd: "/home/meadow", roots: ["/home/me"] }, [])).toEqual(["/home/me"]);
});

test("shows the last part of a folder's path", () => {
  expect(["/a/b/", "C:\\x\\y", "/"].map(folderName)).toEqual(["b", "y", "/"]);
});

test("suggests known folders, then subfolders, each once and without the typed folder", () => {
  const known = ["/w/shop", "/w/shop/web"];
  expect(offeredFolders("/w/shop", known, ["/w/shop/api", "/w/shop/web"])).toEqual(["/w/shop/web", "/w/shop/api"]);
  expect(offeredFolders("web", known, [])).toEqual(["/w/shop/web"]);
});

test("completes a path within the roots and lists subfolders of a known folder", () => {
  const complete = (typed: string, roots: readonly string[]) => pathToComplete(typed, ["/w/shop"], roots);
  expect(["/w/shop", "/w/shop/a", "/w/sh", "shop"].map((typed) => complete(typed, ["/w/shop"]))).toEqual([
    "/w/shop/",
    "/w/shop/a",
    undefined,
    undefined,
  ]);
  expect(["/w/sh", "/", "shop"].map((typed) => complete(typed, []))).toEqual(["/w/sh", "/", undefined]);
});

test("lists modes that cannot be chosen, with the reason", () => {
  const choices = modeChoices(["read", "ask", "full"], false);
  expect(choices.filter(({ disabled }) => !disabled).map(({ value }) => value)).toEqual(["read", "ask"]);
  expect(choices.find(({ value }) => value === "plan")?.detail).toContain("Not supported by this agent");
  expect(choices.find(({ value }) => value === "full")?.detail).toContain("token");
  expect(modeChoices(undefined, true).every(({ disabled }) => !disabled)).toBe(true);
});

test("completes a command while its first word is typed", () => {
  expect(["/", "/re", "/review now", "no /re", "", "/re\n"].map(commandWord)).toEqual([
    "/",
    "/re",
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(commandWord("//re")).toBe("//re");
});

test("runs a command of Reins without arguments on Enter, and only completes others", () => {
  const chosen = (name: string, whose: "reins" | "agent" = "reins") => runsAtOnce({ name, whose });
  expect([chosen("status"), chosen("mcp"), chosen("model"), chosen("status", "agent")]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test("describes an agent file, or says why it cannot be chosen", () => {
  const agents = [
    { id: "here", name: "Here", ready: true },
    { id: "away", name: "Away", ready: false, help: "Run `away login`." },
  ] as AgentAnswer[];
  const file = { path: "/x/a.md", whose: "project" } as const;
  const options = fileOptions(
    [
      { ...file, id: "a", name: "A\u001b[31m", description: "Reads", agent: "here" },
      { ...file, id: "b", agent: "away" },
      { ...file, id: "c", problem: "line 3: color" },
    ],
    agents,
  );
  expect(options.map(({ value, label, detail, disabled }) => [value, label, detail, disabled])).toEqual([
    ["a", "A", "Reads · Here", false],
    ["b", "b", "Run away login.", true],
    ["/x/a.md", "c", "line 3: color", true],
  ]);
});
