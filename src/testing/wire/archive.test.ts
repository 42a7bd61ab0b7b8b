import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { fc } from "../../../test/support/fast-check.ts";
import { formatArchive, keptNames, parseArchive, readKept, replaceKept } from "./archive.ts";

const long = { text: "x".repeat(200) };

test("reads back files byte for byte, and writes a repeated long value once", () => {
  const files = new Map([
    [
      "a/01.ndjson",
      `{"t":0,"dir":"in","msg":${JSON.stringify({ id: 1, long })}}\n{"t":12,"dir":"out","msg":{"id":1}}\n`,
    ],
    ["a/01.meta.json", '{ "code": 0 }'],
    ["b.ndjson", `{"dir":"out","msg":${JSON.stringify({ id: 2, long })}}\nno JSON\n\n{"type":"plain"}\n`],
  ]);
  const text = formatArchive(files);
  expect(parseArchive(text)).toEqual(files);
  expect(text.split("x".repeat(200))).toHaveLength(2);
  expect(text).toMatch(/^> \{"id":1,"long":\{"\$":"[0-9a-f]{10}"\}\}$/m);
  expect(text).toMatch(/^<12 \{"id":1\}$/m);
});

test("reads back any lines", () => {
  const line = fc.oneof(
    fc.string().map((one) => one.replaceAll("\n", " ")),
    fc.json().map((one) => `{"t":0,"dir":"out","msg":${one}}`),
    fc.json(),
  );
  const file = fc.tuple(fc.array(line), fc.boolean()).map(([lines, ends]) => lines.join("\n") + (ends ? "\n" : ""));
  fc.assert(
    fc.property(file, file, (a, b) => {
      const files = new Map([
        ["a", a],
        ["b", b],
      ]);
      expect(parseArchive(formatArchive(files))).toEqual(files);
    }),
  );
});

test("reads paths inside an archive, and replaces a folder in it", () => {
  const folder = mkdtempSync(join(tmpdir(), "reins-archive-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const archive = join(folder, "answers.recordings");
  replaceKept(join(archive, "text"), new Map([["01.ndjson", "one\n"]]));
  replaceKept(join(archive, "echo"), new Map([["01.ndjson", "two\n"]]));
  writeFileSync(join(folder, "notes.txt"), "");
  expect(keptNames(folder)).toEqual([
    "answers.recordings/echo/01.ndjson",
    "answers.recordings/text/01.ndjson",
    "notes.txt",
  ]);
  expect(keptNames(join(archive, "text"))).toEqual(["01.ndjson"]);
  expect(readKept(join(archive, "text/01.ndjson"))).toBe("one\n");
  replaceKept(join(archive, "text"), new Map());
  expect(readFileSync(archive, "utf8")).toBe("=== echo/01.ndjson\n| two\n");
  expect(readKept(join(archive, "text/01.ndjson"))).toBeUndefined();
});
