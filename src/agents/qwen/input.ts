/** A prompt with its attachments as one text: the wire takes no blocks, but it reads the files that a text mentions. */
import { readFile, realpath } from "node:fs/promises";
import { isAbsolute, relative, sep } from "node:path";
import { ReinsError } from "../../events/errors.ts";
import type { Attachment, PromptInput } from "../contract.ts";
import { attachedPath, attachedSize, fileMention, imageType } from "../shared/attachments.ts";

export interface Surroundings {
  readonly cwd: string;
  /** Further folders it may work in. */
  readonly directories: readonly string[];
  readonly maxBytes: number;
  /** Puts something where it may be mentioned, and says where that is. */
  readonly keep: (name: string, bytes: Buffer) => Promise<string>;
}

/** The person's own text comes first: only there does the program look for its own commands. */
export async function textOf(input: PromptInput, surroundings: Surroundings): Promise<string> {
  const mentions: string[] = [];
  for (const attachment of input.attachments ?? []) mentions.push(await mentionOf(attachment, surroundings));
  const parts = [input.text, ...mentions].filter((part) => part.trim() !== "");
  if (parts.length === 0) throw invalid("The prompt is empty.");
  const prompt = parts.join("\n\n");
  const bytes = Buffer.byteLength(prompt);
  if (bytes > surroundings.maxBytes)
    throw invalid(`The prompt has ${bytes} bytes; the limit is ${surroundings.maxBytes}.`);
  return prompt;
}

async function mentionOf(attachment: Attachment, surroundings: Surroundings): Promise<string> {
  if (attachment.kind === "file") {
    const path = attachedPath(attachment.path, surroundings.cwd);
    await attachedSize(path);
    return (await isInside(path, surroundings)) ? mention(path) : fileMention(path, attachment.name);
  }
  if ("data" in attachment) return keepImage(Buffer.from(attachment.data, "base64"), attachment.name, surroundings);
  const path = attachedPath(attachment.path, surroundings.cwd);
  const size = await attachedSize(path);
  if (size > surroundings.maxBytes)
    throw invalid(`${path} has ${size} bytes; the limit of a prompt is ${surroundings.maxBytes}.`);
  const bytes = await readFile(path);
  if (!(await isInside(path, surroundings))) return keepImage(bytes, path, surroundings);
  checkedType(bytes, path);
  return mention(path);
}

async function keepImage(bytes: Buffer, name: string | undefined, { keep }: Surroundings): Promise<string> {
  const type = checkedType(bytes, name ?? "The image");
  return mention(await keep(type.replace("image/", "image."), bytes));
}

function checkedType(bytes: Buffer, name: string): string {
  const type = imageType(bytes);
  if (type === undefined) throw invalid(`${name} is not a PNG, JPEG, GIF or WebP image.`);
  return type;
}

/** These end a path for it, or mean something else, unless they are escaped. */
function mention(path: string): string {
  return `@${path.replaceAll(/[ \t()[\]{};|*?$`'"#&<>!~,]/g, (character) => `\\${character}`)}`;
}

async function isInside(path: string, { cwd, directories }: Surroundings): Promise<boolean> {
  const real = await realpath(path);
  for (const folder of [cwd, ...directories]) {
    const way = relative(await realpath(folder).catch(() => folder), real);
    if (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way)) return true;
  }
  return false;
}

function invalid(message: string): ReinsError {
  return new ReinsError("invalid_input", message, { agent: "qwen" });
}
