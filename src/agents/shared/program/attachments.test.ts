import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { attachmentsFolder, png } from "../../../../test/support/attachments.ts";
import type { PromptInput } from "../../contract.ts";
import { attachedTo } from "./attachments.ts";

const limit = 1024 * 1024;
let cwd: string;

beforeAll(async () => {
  cwd = await attachmentsFolder();
});
afterAll(() => rm(cwd, { recursive: true }));

const attached = (attachments: PromptInput["attachments"], text = "x", bytes = limit) =>
  attachedTo({ text, attachments }, cwd, bytes);

test("includes short text files and only names others", async () => {
  const { texts } = await attached([
    { kind: "file", path: "note.txt" },
    { kind: "file", path: join(cwd, "data.bin") },
    { kind: "file", path: "long.txt" },
    { kind: "file", path: "note.txt", name: 'my "notes"' },
    { kind: "file", path: "long.txt", name: "a.log" },
  ]);
  expect(texts).toEqual([
    `<attached_file path="${join(cwd, "note.txt")}">\nhello\n\n</attached_file>`,
    `The file ${join(cwd, "data.bin")} is attached; read it where it is.`,
    `The file ${join(cwd, "long.txt")} is attached; read it where it is.`,
    `<attached_file path="${join(cwd, "note.txt")}" name="my \\"notes\\"">\nhello\n\n</attached_file>`,
    `The file ${join(cwd, "long.txt")}, which the person calls "a.log", is attached; read it where it is.`,
  ]);
});

test.for([
  [png, "image/png"],
  [Buffer.from("ffd8ffe000", "hex"), "image/jpeg"],
  [Buffer.from("GIF89a......"), "image/gif"],
  [Buffer.from("RIFF....WEBPVP8 "), "image/webp"],
] as const)("detects the type of an image from its bytes: %#", async ([bytes, mediaType]) => {
  const data = bytes.toString("base64");
  const { images } = await attached([{ kind: "image", mediaType: "image/anything", data }], "");
  expect(images).toEqual([{ mediaType, data }]);
});

test("reads an image from a file", async () => {
  expect((await attached([{ kind: "image", path: "a.png" }])).images).toHaveLength(1);
});

test.for<[PromptInput["attachments"], string, number, RegExp]>([
  [[{ kind: "image", path: "note.txt" }], "x", limit, /note\.txt is not a PNG, JPEG, GIF or WebP image/],
  [[{ kind: "file", path: "missing" }], "x", limit, /missing cannot be read/],
  [[{ kind: "file", path: "folder" }], "x", limit, /folder is not a file/],
  [[{ kind: "image", path: "a.png" }], "x", 10, /the limit of a prompt is 10/],
  [[], "twelve bytes", 11, /has 12 bytes; the limit is 11/],
  [undefined, " ", limit, /The prompt is empty/],
])("rejects %#", async ([attachments, text, bytes, message]) => {
  await expect(attached(attachments, text, bytes)).rejects.toMatchObject({
    code: "invalid_input",
    message: expect.stringMatching(message) as string,
  });
});
