import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";
import { blocksOf } from "./content.ts";
import type { AcpPrompt } from "./types.ts";

const cwd = mkdtempSync(join(tmpdir(), "reins-input-"));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));
const png = Buffer.from("89504e470d0a1a0a00000000", "hex");
writeFileSync(join(cwd, "a.txt"), "text");
writeFileSync(join(cwd, "long.txt"), "x".repeat(300_000));
writeFileSync(join(cwd, "a.bin"), Buffer.from([1, 0, 2]));
writeFileSync(join(cwd, "a.png"), png);
writeFileSync(join(cwd, "a.jpg"), Buffer.from("ffd8ffe000", "hex"));
writeFileSync(join(cwd, "a.gif"), "GIF89a...");
writeFileSync(join(cwd, "a.webp"), "RIFF1234WEBP");

const all = { image: true, embeddedContext: true };
const blocks = (
  attachments: AcpPrompt["attachments"],
  capabilities: Record<string, unknown> = all,
  maxBytes = 1e6,
  text = "",
) => blocksOf({ text, attachments }, { name: "Some", agent: "some", cwd, maxBytes, capabilities });
const uri = (name: string) => pathToFileURL(join(cwd, name)).href;
const link = (name: string) => [{ type: "resource_link", uri: uri(name), name }];

test("sends text, and refuses an empty or too long prompt", async () => {
  expect(await blocks(undefined, {}, 100, "hi")).toEqual([{ type: "text", text: "hi" }]);
  await expect(blocks([], {}, 100, " ")).rejects.toMatchObject({ code: "invalid_input" });
  await expect(blocks([], {}, 10, "x".repeat(20))).rejects.toThrow("the limit is 10");
});

test("embeds a short text file when the agent accepts that, and links it otherwise", async () => {
  const file = (path: string) => [{ kind: "file", path }] as const;
  expect(await blocks(file("a.txt"))).toEqual([
    { type: "resource", resource: { uri: uri("a.txt"), mimeType: "text/plain", text: "text" } },
  ]);
  expect(await blocks(file("a.txt"), {})).toEqual(link("a.txt"));
  expect(await blocks([{ kind: "file", path: "a.txt", name: "notes" }], {})).toMatchObject([{ name: "notes" }]);
  expect(await blocks(file("long.txt"))).toEqual(link("long.txt"));
  expect(await blocks(file(join(cwd, "a.bin")))).toEqual(link("a.bin"));
  await expect(blocks(file("gone"))).rejects.toThrow("cannot be read");
  await expect(blocks(file("."))).rejects.toThrow("is not a file");
});

test("embeds an image when the agent accepts images, else links its file, and refuses one without a file", async () => {
  const image = (path: string) => [{ kind: "image", path }] as const;
  expect(await blocks(image("a.png"))).toEqual([
    { type: "image", data: png.toString("base64"), mimeType: "image/png", uri: uri("a.png") },
  ]);
  for (const [file, mimeType] of [
    ["a.jpg", "image/jpeg"],
    ["a.gif", "image/gif"],
    ["a.webp", "image/webp"],
  ] as const)
    expect(await blocks(image(file))).toMatchObject([{ mimeType }]);
  expect(await blocks(image("a.png"), {})).toEqual(link("a.png"));
  await expect(blocks(image("a.txt"))).rejects.toThrow("is not a PNG");
  await expect(blocks(image("long.txt"), all, 1000)).rejects.toThrow("the limit of a prompt");
  const given = [{ kind: "image", mediaType: "image/png", data: "AAAA" }] as const;
  expect(await blocks(given)).toEqual([{ type: "image", data: "AAAA", mimeType: "image/png" }]);
  await expect(blocks(given, {})).rejects.toMatchObject({ code: "unsupported" });
});
