import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Attachment } from "../contract.ts";
import { textOf } from "./session.ts";

const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
let folder: string;
let cwd: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "reins-test-"));
  cwd = join(folder, "w");
  await mkdir(join(cwd, "a folder"), { recursive: true });
  await writeFile(join(cwd, "a.png"), png);
  await writeFile(join(cwd, "a folder", "it's (1).txt"), "x");
  await writeFile(join(folder, "outside.txt"), "x");
  await writeFile(join(folder, "outside.png"), png);
});
afterAll(() => rm(folder, { recursive: true }));

const kept: string[] = [];
const mentioning = () => ({
  cwd,
  directories: [],
  maxBytes: 1_000,
  keep: (name: string) => Promise.resolve(kept.push(name) > 0 ? `/kept/${name}` : ""),
});
const said = (text: string, ...attachments: Attachment[]) => textOf({ text, attachments }, mentioning());

test("puts the user's text first and mentions files of the workspace", async () => {
  const path = join(cwd, "a folder", "it's (1).txt");
  expect(await said("/compress", { kind: "file", path })).toBe(
    `/compress\n\n@${join(cwd, "a\\ folder", "it\\'s\\ \\(1\\).txt")}`,
  );
});

test("names a file outside the workspace, and stores an outside image where it can be mentioned", async () => {
  expect(await said("x", { kind: "file", path: "../outside.txt" })).toContain("read it where it is");
  expect(await said("x", { kind: "image", path: "../outside.png" })).toBe("x\n\n@/kept/image.png");
  expect(await said("", { kind: "image", path: "a.png" })).toBe(`@${join(cwd, "a.png")}`);
  expect(await said("x", { kind: "image", mediaType: "image/gif", data: png.toString("base64") })).toBe(
    "x\n\n@/kept/image.png",
  );
});

test.for<readonly [string, string, Attachment[]]>([
  ["nothing", " \n", []],
  ["too much", "x".repeat(2_000), []],
  ["no image", "x", [{ kind: "image", mediaType: "image/png", data: "bm8=" }]],
  ["no file", "x", [{ kind: "file", path: "missing" }]],
  ["a folder", "x", [{ kind: "file", path: "a folder" }]],
])("rejects %s", async ([, text, attachments]) => {
  await expect(said(text, ...attachments)).rejects.toMatchObject({ code: "invalid_input" });
});
