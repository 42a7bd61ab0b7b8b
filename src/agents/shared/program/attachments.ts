/** Reads and checks the attachments of a prompt: image types by their bytes, short text files whole, other files by name. */
import { readFile, stat } from "node:fs/promises";
import { isAbsolute, resolve } from "node:path";
import { ReinsError } from "../../../events/errors.ts";
import type { Attachment, PromptInput } from "../../contract.ts";

export interface AttachedImage {
  readonly mediaType: string;
  /** Base64. */
  readonly data: string;
}

export interface Attached {
  /** A text per file. */
  readonly texts: readonly string[];
  readonly images: readonly AttachedImage[];
}

/** A longer file is only named; the agent can read it itself. */
const inlineFileBytes = 256 * 1024;

/** Throws `invalid_input` for a file that cannot be read, is not an image, or is too large together with the prompt's text. */
export async function attachedTo(input: PromptInput, cwd: string, maxBytes: number): Promise<Attached> {
  const texts: string[] = [];
  const images: AttachedImage[] = [];
  for (const attachment of input.attachments ?? []) {
    if (attachment.kind === "file") texts.push(await fileText(attachedPath(attachment.path, cwd), attachment.name));
    else images.push(await imageOf(attachment, cwd, maxBytes));
  }
  if (input.text.trim() === "" && texts.length + images.length === 0) throw invalid("The prompt is empty.");
  const bytes = [input.text, ...texts, ...images.map(({ data }) => data)].reduce(
    (sum, part) => sum + Buffer.byteLength(part),
    0,
  );
  if (bytes > maxBytes) throw invalid(`The prompt has ${bytes} bytes; the limit is ${maxBytes}.`);
  return { texts, images };
}

export async function imageOf(
  attachment: Extract<Attachment, { kind: "image" }>,
  cwd: string,
  maxBytes: number,
): Promise<AttachedImage> {
  if ("data" in attachment) return checked(Buffer.from(attachment.data, "base64"), attachment.name ?? "The image");
  const path = attachedPath(attachment.path, cwd);
  const size = await attachedSize(path);
  if (size > maxBytes) throw invalid(`${path} has ${size} bytes; the limit of a prompt is ${maxBytes}.`);
  return checked(await readFile(path), path);
}

function checked(bytes: Buffer, name: string): AttachedImage {
  const mediaType = imageType(bytes);
  if (mediaType === undefined) throw invalid(`${name} is not a PNG, JPEG, GIF or WebP image.`);
  return { mediaType, data: bytes.toString("base64") };
}

/** The media type of an image, from its bytes. Checked here because agents silently drop a bad image. */
export function imageType(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 12)).toString("latin1");
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (head.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (head.startsWith("GIF87a") || head.startsWith("GIF89a")) return "image/gif";
  if (head.startsWith("RIFF") && head.slice(8, 12) === "WEBP") return "image/webp";
  return undefined;
}

async function fileText(path: string, name: string | undefined): Promise<string> {
  const named = fileMention(path, name);
  if ((await attachedSize(path)) > inlineFileBytes) return named;
  const bytes = await readFile(path);
  if (bytes.includes(0)) return named;
  const called = name === undefined ? "" : ` name=${JSON.stringify(name)}`;
  return `<attached_file path=${JSON.stringify(path)}${called}>\n${bytes.toString("utf8")}\n</attached_file>`;
}

/** Mentions the file with the name that the user knows. */
export function fileMention(path: string, name: string | undefined): string {
  const called = name === undefined ? "" : `, which the person calls ${JSON.stringify(name)},`;
  return `The file ${path}${called} is attached; read it where it is.`;
}

export function attachedPath(path: string, cwd: string): string {
  return isAbsolute(path) ? path : resolve(cwd, path);
}

/** Throws `invalid_input` when the file cannot be read. */
export async function attachedSize(path: string): Promise<number> {
  const found = await stat(path).catch((error: unknown) => {
    throw invalid(`The attachment ${path} cannot be read.`, error);
  });
  if (!found.isFile()) throw invalid(`The attachment ${path} is not a file.`);
  return found.size;
}

function invalid(message: string, cause?: unknown): ReinsError {
  return new ReinsError("invalid_input", message, { cause });
}
