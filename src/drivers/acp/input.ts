/** A prompt with its attachments as ACP's blocks of content. */
import { readFile, stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { ReinsError } from "../../events/errors.ts";
import type { ErrorCode } from "../../events/errors.ts";
import type { Wire } from "./read.ts";
import type { AcpAttachment, AcpPrompt } from "./types.ts";

export interface InputOptions {
  readonly name: string;
  readonly agent: string;
  readonly cwd: string;
  readonly maxBytes: number;
  /** What the agent takes beside text and links, which every agent takes. */
  readonly capabilities: Wire;
}

/** A longer file is linked, and the agent reads what it needs of it. */
const inlineFileBytes = 256 * 1024;

export async function blocksOf(input: AcpPrompt, options: InputOptions): Promise<Wire[]> {
  const blocks: Wire[] = [];
  for (const attachment of input.attachments ?? []) blocks.push(await blockOf(attachment, options));
  if (input.text.trim() !== "") blocks.push({ type: "text", text: input.text });
  if (blocks.length === 0) throw refused(options, "invalid_input", "The prompt is empty.");
  const bytes = Buffer.byteLength(JSON.stringify(blocks));
  if (bytes > options.maxBytes)
    throw refused(options, "invalid_input", `The prompt has ${bytes} bytes; the limit is ${options.maxBytes}.`);
  return blocks;
}

async function blockOf(attachment: AcpAttachment, options: InputOptions): Promise<Wire> {
  const takesImages = options.capabilities["image"] === true;
  if ("data" in attachment) {
    if (!takesImages) throw refused(options, "unsupported", `${options.name} takes no images.`);
    return { type: "image", data: attachment.data, mimeType: attachment.mediaType };
  }
  const path = resolve(options.cwd, attachment.path);
  const size = await sizeOf(path, options);
  const link = { type: "resource_link", uri: pathToFileURL(path).href, name: attachment.name ?? basename(path) };
  if (attachment.kind === "file") return fileBlock(path, size, link, options);
  if (!takesImages) return link;
  if (size > options.maxBytes)
    throw refused(options, "invalid_input", `${path} has ${size} bytes; the limit of a prompt is ${options.maxBytes}.`);
  const bytes = await readFile(path);
  const mimeType = imageType(bytes);
  if (mimeType === undefined) throw refused(options, "invalid_input", `${path} is not a PNG, JPEG, GIF or WebP image.`);
  return { type: "image", data: bytes.toString("base64"), mimeType, uri: link.uri };
}

async function fileBlock(path: string, size: number, link: Wire, { capabilities }: InputOptions): Promise<Wire> {
  if (capabilities["embeddedContext"] !== true || size > inlineFileBytes) return link;
  const bytes = await readFile(path);
  if (bytes.includes(0)) return link;
  return { type: "resource", resource: { uri: link["uri"], mimeType: "text/plain", text: bytes.toString("utf8") } };
}

async function sizeOf(path: string, options: InputOptions): Promise<number> {
  const found = await stat(path).catch((cause: unknown) => {
    throw refused(options, "invalid_input", `The attachment ${path} cannot be read.`, cause);
  });
  if (!found.isFile()) throw refused(options, "invalid_input", `The attachment ${path} is not a file.`);
  return found.size;
}

function imageType(bytes: Buffer): string | undefined {
  const head = bytes.toString("latin1", 0, 12);
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (head.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (/^GIF8[79]a/.test(head)) return "image/gif";
  return head.startsWith("RIFF") && head.endsWith("WEBP") ? "image/webp" : undefined;
}

function refused({ agent }: InputOptions, code: ErrorCode, message: string, cause?: unknown): ReinsError {
  return new ReinsError(code, message, { agent, cause });
}
