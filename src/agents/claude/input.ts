/** A prompt with its attachments as the blocks of a message. */
import { readFile, stat } from "node:fs/promises";
import { isAbsolute, resolve } from "node:path";
import { ReinsError } from "../../events/errors.ts";
import type { Attachment, PromptInput } from "../contract.ts";
import { imageType } from "./images.ts";

export type Block =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "image";
      readonly source: { readonly type: "base64"; readonly media_type: string; readonly data: string };
    };

/** A longer file is named, and the agent reads what it needs of it. */
const inlineFileBytes = 256 * 1024;

/** The person's own text comes last: only there does the agent look for slash commands and mentions. */
export async function blocksOf(input: PromptInput, cwd: string, maxBytes: number): Promise<Block[]> {
  const blocks: Block[] = [];
  for (const attachment of input.attachments ?? []) blocks.push(await blockOf(attachment, cwd, maxBytes));
  if (input.text.trim() !== "") blocks.push({ type: "text", text: input.text });
  if (blocks.length === 0) throw invalid("The prompt is empty.");
  const bytes = blocks.reduce(
    (sum, block) => sum + Buffer.byteLength(block.type === "text" ? block.text : block.source.data),
    0,
  );
  if (bytes > maxBytes) throw invalid(`The prompt has ${bytes} bytes; the limit is ${maxBytes}.`);
  return blocks;
}

async function blockOf(attachment: Attachment, cwd: string, maxBytes: number): Promise<Block> {
  if (attachment.kind === "file") return fileBlock(pathOf(attachment.path, cwd));
  if ("data" in attachment) return imageBlock(Buffer.from(attachment.data, "base64"), attachment.name ?? "The image");
  const path = pathOf(attachment.path, cwd);
  const size = await sizeOf(path);
  if (size > maxBytes) throw invalid(`${path} has ${size} bytes; the limit of a prompt is ${maxBytes}.`);
  return imageBlock(await readFile(path), path);
}

function imageBlock(bytes: Buffer, name: string): Block {
  const type = imageType(bytes);
  if (type === undefined) throw invalid(`${name} is not a PNG, JPEG, GIF or WebP image.`);
  return { type: "image", source: { type: "base64", media_type: type, data: bytes.toString("base64") } };
}

async function fileBlock(path: string): Promise<Block> {
  const named: Block = { type: "text", text: `The file ${path} is attached; read it where it is.` };
  if ((await sizeOf(path)) > inlineFileBytes) return named;
  const bytes = await readFile(path);
  if (bytes.includes(0)) return named;
  return {
    type: "text",
    text: `<attached_file path=${JSON.stringify(path)}>\n${bytes.toString("utf8")}\n</attached_file>`,
  };
}

function pathOf(path: string, cwd: string): string {
  return isAbsolute(path) ? path : resolve(cwd, path);
}

async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch((error: unknown) => {
    throw invalid(`The attachment ${path} cannot be read.`, error);
  });
  if (!found.isFile()) throw invalid(`The attachment ${path} is not a file.`);
  return found.size;
}

function invalid(message: string, cause?: unknown): ReinsError {
  return new ReinsError("invalid_input", message, { agent: "claude", cause });
}
