import { fc } from "../../test/support/fast-check.ts";
import { describe, expect, test } from "vitest";
import { diffStats, unifiedDiff } from "./diff.ts";

/** Applies a diff strictly, like `patch`: every context and removed line must be where the diff says. */
function apply(before: string, diff: string): string {
  const lines = before.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const out: string[] = [];
  let at = 0;
  const rows = diff.split("\n").slice(2);
  rows.forEach((row, index) => {
    const line = rows[index + 1]?.startsWith("\\") ? row.slice(1) : `${row.slice(1)}\n`;
    if (row.startsWith("@@")) {
      const [, start, count] = /^@@ -(\d+),(\d+)/.exec(row) ?? [];
      const until = Number(count) === 0 ? Number(start) : Number(start) - 1;
      while (at < until) out.push(lines[at++] as string);
    } else if (row.startsWith("+")) out.push(line);
    else if (row.startsWith("-") || row.startsWith(" ")) {
      expect(lines[at]).toBe(line);
      if (row.startsWith(" ")) out.push(line);
      at++;
    }
  });
  return [...out, ...lines.slice(at)].join("");
}

const text = fc
  .array(fc.constantFrom("a\n", "b\n", "c\n", "-- a\n", "++ b\n", "\n", "@@ -1 +1 @@\n", "end"))
  .map((parts) => parts.join(""));

describe("unifiedDiff", () => {
  test("shows one changed line with context", () => {
    expect(unifiedDiff("a.txt", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n")).toBe(
      "--- a/a.txt\n+++ b/a.txt\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n",
    );
  });

  test("handles a new file, a deleted file and a missing last newline", () => {
    expect(unifiedDiff("a", undefined, "x\n")).toBe("--- /dev/null\n+++ b/a\n@@ -0,0 +1,1 @@\n+x\n");
    expect(unifiedDiff("a", "x\n", undefined)).toBe("--- a/a\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-x\n");
    expect(unifiedDiff("a", "x\n", "x")).toBe(
      "--- a/a\n+++ b/a\n@@ -1,1 +1,1 @@\n-x\n+x\n\\ No newline at end of file\n",
    );
  });

  test("is empty when nothing changed", () => {
    expect(unifiedDiff("a", "x", "x")).toBe("");
  });

  test("puts distant changes into separate hunks", () => {
    const before = Array.from({ length: 40 }, (_, index) => `${index}\n`);
    const after = before.with(3, "three\n").with(30, "thirty\n");
    expect(unifiedDiff("a", before.join(""), after.join("")).match(/^@@.*$/gm)).toEqual([
      "@@ -1,7 +1,7 @@",
      "@@ -28,7 +28,7 @@",
    ]);
  });

  test("applied to the old text gives the new text", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(apply(before, unifiedDiff("f", before, after))).toBe(after);
      }),
    );
  });

  test("reports 400 changed lines of 2,000 as 400 removed and 400 added", () => {
    const before = Array.from({ length: 2_000 }, (_, index) => `line ${index}\n`);
    const after = before.map((line, index) => (index % 5 === 0 ? `new ${line}` : line));
    const diff = unifiedDiff("f", before.join(""), after.join(""));
    expect(diffStats(diff)).toEqual({ added: 400, removed: 400 });
    expect(apply(before.join(""), diff)).toBe(after.join(""));
  });

  test("applies back after random edits of a long text", () => {
    const edit = fc.record({
      at: fc.nat(2_999),
      remove: fc.nat(40),
      add: fc.array(fc.constantFrom("x\n", "y\r\n", "\n")),
    });
    const before = Array.from({ length: 3_000 }, (_, index) => `line ${index % 700}\n`);
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 40 }), (edits) => {
        const after = edits.reduce((lines, { at, remove, add }) => lines.toSpliced(at, remove, ...add), before);
        const diff = unifiedDiff("f", before.join(""), after.join(""));
        expect(diff === "" ? before.join("") : apply(before.join(""), diff)).toBe(after.join(""));
      }),
      { numRuns: 30 },
    );
  });

  test("keeps the lines around a large replacement out of its hunk", () => {
    const make = (word: string): string =>
      `first\n${Array.from({ length: 2_000 }, (_, index) => `${word} ${index}\n`).join("")}last`;
    const diff = unifiedDiff("f", make("old"), make("new"));
    expect(diff).toContain("@@ -2,2000 +2,2000 @@");
    expect(apply(make("old"), diff)).toBe(make("new"));
  });

  test("replaces two long unrelated texts in one hunk, quickly", () => {
    const make = (word: string): string => Array.from({ length: 5_000 }, (_, index) => `${word} ${index}\n`).join("");
    const diff = unifiedDiff("f", make("old"), make("new"));
    expect(diffStats(diff)).toEqual({ added: 5_000, removed: 5_000 });
    expect(apply(make("old"), diff)).toBe(make("new"));
  });
});

describe("diffStats", () => {
  test("counts changed lines that look like headers", () => {
    expect(diffStats(unifiedDiff("f", "-- a\nb\n", "++ c\nb\n"))).toEqual({ added: 1, removed: 1 });
  });

  test("adds up several files and short ranges", () => {
    expect(diffStats("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n--- a/y\n+++ b/y\n@@ -1,2 +1 @@\n a\n-b\n")).toEqual({
      added: 1,
      removed: 2,
    });
  });

  test("added minus removed lines equals the difference in line count", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = (value: string): number => value.match(/[^\n]*\n|[^\n]+$/g)?.length ?? 0;
        const { added, removed } = diffStats(unifiedDiff("f", before, after));
        expect(added - removed).toBe(lines(after) - lines(before));
      }),
    );
  });
});
