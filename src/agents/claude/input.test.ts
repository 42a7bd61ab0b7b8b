import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { attachmentsFolder, png } from "../../../test/support/attachments.ts";
import { imageType } from "../shared/program/attachments.ts";
import { blocksOf } from "./session.ts";

const limit = 1024 * 1024;
let cwd: string;

beforeAll(async () => {
  cwd = await attachmentsFolder();
});
afterAll(() => rm(cwd, { recursive: true }));

test("puts the user's text last", async () => {
  const blocks = await blocksOf({ text: "/compact", attachments: [{ kind: "file", path: "note.txt" }] }, cwd, limit);
  expect(blocks).toEqual([
    { type: "text", text: `<attached_file path="${join(cwd, "note.txt")}">\nhello\n\n</attached_file>` },
    { type: "text", text: "/compact" },
  ]);
});

test("detects image types from the bytes, for data and for files", async () => {
  const data = png.toString("base64");
  const image = { type: "image", source: { type: "base64", media_type: "image/png", data } };
  const attachments = [
    { kind: "image" as const, mediaType: "image/jpeg", data },
    { kind: "image" as const, path: "a.png" },
  ];
  expect(await blocksOf({ text: "", attachments }, cwd, limit)).toEqual([image, image]);
  expect(imageType(Buffer.from("ffd8ffe0", "hex"))).toBe("image/jpeg");
  expect(imageType(Buffer.from("GIF89a"))).toBe("image/gif");
  expect(imageType(Buffer.from("RIFF1234WEBPVP8 "))).toBe("image/webp");
  expect(imageType(Buffer.from("RIFF1234WAVE"))).toBeUndefined();
});

test.for(["data.bin", "long.txt"])("only names %s", async (path) => {
  const [block] = await blocksOf({ text: "look", attachments: [{ kind: "file", path }] }, cwd, limit);
  expect(block).toEqual({ type: "text", text: `The file ${join(cwd, path)} is attached; read it where it is.` });
});

test.for([
  [{ text: " \n" }, "The prompt is empty."],
  [{ text: "x".repeat(limit + 1) }, "the limit is"],
  [
    { text: "x", attachments: [{ kind: "image" as const, mediaType: "image/png", data: "AAAA" }] },
    "The image is not a",
  ],
  [{ text: "x", attachments: [{ kind: "image" as const, path: "note.txt" }] }, "is not a PNG"],
  [{ text: "x", attachments: [{ kind: "file" as const, path: "folder" }] }, "is not a file"],
  [{ text: "x", attachments: [{ kind: "file" as const, path: "missing" }] }, "cannot be read"],
] as const)("rejects bad input: %o", async ([input, message]) => {
  await expect(blocksOf(input, cwd, limit)).rejects.toMatchObject({
    code: "invalid_input",
    message: expect.stringContaining(message),
  });
});

test("does not read an image file over the limit", async () => {
  const attachments = [{ kind: "image" as const, path: "long.txt" }];
  await expect(blocksOf({ text: "x", attachments }, cwd, 1000)).rejects.toMatchObject({ code: "invalid_input" });
});
