import { describe, expect, it } from "vitest";
import { sideBySide } from "./side-by-side.ts";

/** Writes rows as `1a | 2b`. */
const rows = (...lines: readonly string[]) =>
  sideBySide(lines.join("\n")).map((row) => {
    if (row.kind === "gap" || row.kind === "note") return `${row.kind} ${row.text}`.trim();
    const side = (one: { number: number; text: string } | undefined) =>
      one === undefined ? "" : `${one.number}${one.text}`;
    return `${side(row.left)} ${row.kind === "same" ? "=" : "|"} ${side(row.right)}`;
  });

describe("sideBySide", () => {
  it("pairs removed and added lines", () => {
    expect(
      rows("--- a/x", "+++ b/x", "@@ -1,3 +1,4 @@", " a", "-b", "-c", "+B", "+C", "+D", "@@ -9 +10 @@ f()", "-z", "+y"),
    ).toEqual(["1a = 1a", "2b | 2B", "3c | 3C", " | 4D", "gap f()", "9z | 10y"]);
  });

  it("leaves one side empty for a new or deleted file", () => {
    expect(rows("--- /dev/null", "+++ b/x", "@@ -0,0 +1,2 @@", "+a", "+", "\\ No newline at end of file")).toEqual([
      " | 1a",
      " | 2",
      "note \\ No newline at end of file",
    ]);
  });

  it.each([
    [["-a", "\\ No newline", "+b", "\\ No newline"], "\\ No newline"],
    [["-a", "\\ No newline", "+b"], "\\ No newline (before)"],
    [["-a", "+b", "\\ No newline"], "\\ No newline"],
  ])("pairs a changed last line when a side has no newline at the end: %j", (lines, note) => {
    expect(rows("@@ -1 +1 @@", ...lines)).toEqual(["1a | 1b", `note ${note}`]);
  });

  it("reads a removed line that looks like a hunk header as a line", () => {
    expect(rows("@@ -1,2 +1,1 @@", "--- a/x", "-@@ -1 +1 @@", "+++ b")).toEqual(["1-- a/x | 1++ b", "2@@ -1 +1 @@ | "]);
    expect(rows("@@ -1 +1 @@", "-a", "+b", "--- a/y", "+++ b/y", "@@ -5 +5 @@", "-c", "+d")).toEqual([
      "1a | 1b",
      "gap",
      "5c | 5d",
    ]);
  });

  it("reads a diff without hunk headers, and notes", () => {
    expect(rows("--- a", "+++ b", "-x", "+y", " z")).toEqual(["1x | 1y", "2z = 2z"]);
    expect(rows("rename from a", "rename to b")).toEqual(["note rename from a", "note rename to b"]);
    expect(rows("")).toEqual([]);
  });

  it("removes control characters", () => {
    expect(rows("@@ -1 +1 @@", "-\u001b[31ma\u202e", "+b")).toEqual(["1a | 1b"]);
  });
});
