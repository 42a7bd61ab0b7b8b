import { describe, expect, test } from "vitest";
import { absolutePath, isProtected, pathRules, relativeTo, type PathRules } from "./paths.ts";

const linux: PathRules = { separator: "/", foldsCase: false, protectedFiles: ["opencode.json"] };
const mac: PathRules = { ...linux, foldsCase: true };
const windows: PathRules = { ...mac, separator: "\\" };

describe("relativeTo", () => {
  test.each([
    [linux, "/w", "/w/a/b", "a/b"],
    [linux, "/w", "/w", ""],
    [linux, "/w/", "/w//a/./b/", "a/b"],
    [linux, "/", "/a", "a"],
    [linux, "/w", "/w/a/../b", "b"],
    [linux, "/w", "/w/..a", "..a"],
    [linux, "/w", "/w/../x", undefined],
    [linux, "/w", "/", undefined],
    [linux, "/w", "/wx/a", undefined],
    [linux, "/w", "/W/a", undefined],
    [linux, "/w", "a", undefined],
    [linux, "w", "/w/a", undefined],
    [linux, "/w", "/w/a\\b", "a\\b"],
    [mac, "/W", "/w/Ä", "Ä"],
    [mac, "/\u00e4", "/a\u0308/x", "x"],
    [windows, "C:\\w", "c:\\W\\a\\b", "a\\b"],
    [windows, "C:\\w", "C:/w/a", "a"],
    [windows, "C:\\w", "C:\\w\\..\\x", undefined],
    [windows, "C:\\w", "D:\\w\\a", undefined],
    [windows, "C:\\w", "C:w\\a", undefined],
    [windows, "C:\\w", "\\w\\a", undefined],
    [windows, "C:\\w", "\\\\?\\C:\\w\\a", "a"],
    [windows, "C:\\", "C:\\a", "a"],
    [windows, "\\\\server\\share", "\\\\SERVER\\share\\a", "a"],
    [windows, "\\\\server\\share", "\\\\?\\UNC\\server\\share\\a", "a"],
    [windows, "\\\\server\\share", "\\\\server\\other\\a", undefined],
    [windows, "C:\\w", "\\\\.\\C:\\w\\a", undefined],
  ] as const)("with %o, from %s to %s is %s", (rules, root, path, expected) => {
    expect(relativeTo(root, path, rules)).toBe(expected);
  });
});

describe("isProtected", () => {
  test.each([
    [linux, "a.txt", false],
    [linux, "src/a.b.txt", false],
    [linux, "", true],
    [linux, "./", true],
    [linux, ".env", true],
    [linux, "src/.x/a", true],
    [linux, "repo.git/config", true],
    [linux, "repo.GIT/config", false],
    [linux, "reins.config.json", true],
    [linux, "a/opencode.json", true],
    [linux, "a/OpenCode.json", false],
    [linux, "a\\.env", false],
    [mac, "repo.GIT/config", true],
    [mac, "a/OpenCode.json", true],
    [windows, "a\\.git\\x", true],
    [windows, "a/.git/x", true],
    [windows, "a\\x.txt", false],
    [windows, "opencode.json. ", true],
    [windows, "repo.git::$INDEX_ALLOCATION\\x", true],
    [windows, "GIT~1\\hooks", true],
  ] as const)("with %o, %j is %s", (rules, path, expected) => expect(isProtected(path, rules)).toBe(expected));
});

test("expands the home folder and file URLs", () => {
  const absolute = (path: string) => absolutePath(path, "/w", "/home/u");
  expect(["~", "~/a", "~x", "a/../b", "/c", "file:///d%20e", "file:///%zz"].map(absolute)).toEqual([
    "/home/u",
    "/home/u/a",
    "/w/~x",
    "/w/b",
    "/c",
    "/d e",
    "/%zz",
  ]);
});

test("uses the rules of this machine", () => {
  expect(pathRules(["x"])).toMatchObject({ protectedFiles: ["x"] });
  expect(pathRules().protectedFiles).toEqual([]);
});
