import { expect, it } from "vitest";
import { patchFiles } from "./patch-files.ts";

const patch = [
  "diff --git a/x.txt b/x.txt",
  "--- a/x.txt",
  "+++ b/x.txt",
  "@@ -1 +1 @@",
  "-diff --git a/no b/no",
  "+y",
  "diff --git a/gone.txt b/gone.txt",
  "deleted file mode 100644",
  "--- a/gone.txt",
  "+++ /dev/null",
  "@@ -1 +0,0 @@",
  "-z",
  "diff --git a/a b.png b/a b.png",
  "Binary files a/a b.png and b/a b.png differ",
  "diff --git a/old b/new",
  "rename from old",
  "rename to new",
  'diff --git "a/\\303\\244" "b/\\303\\244"',
  '+++ "b/\\303\\244"',
  "",
].join("\n");

it("splits a patch only where a file begins", () => {
  const files = patchFiles(patch);
  expect(files.map(({ path }) => path)).toEqual(["x.txt", "gone.txt", "a b.png", "new", "ä"]);
  expect(files.map(({ diff }) => diff).join("")).toBe(patch);
  expect(patchFiles("")).toEqual([]);
});

it("splits a patch that is cut inside a hunk, and accepts text that is no patch", () => {
  const cut = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n-a";
  expect(patchFiles(cut)).toEqual([{ path: "x", diff: cut }]);
  expect(patchFiles("--- a\n+++\n")).toHaveLength(1);
});
