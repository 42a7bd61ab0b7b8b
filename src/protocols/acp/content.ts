/** Content blocks (shared by ACP and MCP), prompts as blocks, and diffs. */
import { readFile, stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { diffStats, unifiedDiff } from "../../events/diff.ts";
import { ReinsError, type ErrorCode } from "../../events/errors.ts";
import { defaultLimits } from "../../events/limits.ts";
import { displayPath } from "../../events/paths.ts";
import type { AgentEventOf, Content } from "../../events/types.ts";
import { number, record, text, type JsonObject } from "../json.ts";
import type { AcpAttachment, AcpOptions, AcpPrompt } from "./types.ts";

/** Returns undefined for a block of an unknown kind. */
export function contentOf(block: JsonObject): Content | undefined {
  switch (block["type"]) {
    case "text":
      return { type: "text", text: text(block["text"]) ?? "" };
    case "image":
      return imageOf(block);
    case "resource_link":
      return resourceOf(block);
    case "resource":
      return resourceOf(record(block["resource"]));
    case "audio":
      return { type: "resource", uri: "data:", ...mediaType(block) };
    default:
      return undefined;
  }
}

function imageOf(block: JsonObject): Content {
  const data = text(block["data"]);
  const image: Content = { type: "image", mediaType: text(block["mimeType"]) ?? "image/png" };
  return data === undefined ? image : { ...image, data, bytes: Buffer.byteLength(data, "base64") };
}

function resourceOf(block: JsonObject): Content {
  const said = text(block["text"]);
  return {
    type: "resource",
    uri: text(block["uri"]) ?? "",
    ...mediaType(block),
    ...(said === undefined ? {} : { text: said }),
  };
}

function mediaType(block: JsonObject): { mediaType?: string } {
  const type = text(block["mimeType"]);
  return type === undefined ? {} : { mediaType: type };
}

export function locationsOf(items: readonly JsonObject[]): { path: string; line?: number }[] {
  return items.flatMap((item) => {
    const path = text(item["path"]);
    const line = number(item["line"]);
    if (path === undefined) return [];
    return [line !== undefined && Number.isInteger(line) ? { path, line } : { path }];
  });
}

export interface InputOptions extends Pick<AcpOptions, "name" | "agent" | "cwd"> {
  readonly maxBytes: number;
  /** The agent's `promptCapabilities`. Every agent accepts text and links. */
  readonly capabilities: JsonObject;
}

/** A longer file is linked instead, so that the agent reads only the parts it needs. */
const inlineFileBytes = 256 * 1024;

export async function blocksOf(input: AcpPrompt, options: InputOptions): Promise<JsonObject[]> {
  const blocks: JsonObject[] = [];
  for (const attachment of input.attachments ?? []) blocks.push(await blockOf(attachment, options));
  if (input.text.trim() !== "") blocks.push({ type: "text", text: input.text });
  if (blocks.length === 0) throw refused(options, "invalid_input", "The prompt is empty.");
  const bytes = Buffer.byteLength(JSON.stringify(blocks));
  if (bytes > options.maxBytes)
    throw refused(options, "invalid_input", `The prompt has ${bytes} bytes; the limit is ${options.maxBytes}.`);
  return blocks;
}

async function blockOf(attachment: AcpAttachment, options: InputOptions): Promise<JsonObject> {
  const takesImages = options.capabilities["image"] === true;
  if ("data" in attachment) {
    if (!takesImages) throw refused(options, "unsupported", `${options.name} does not accept images.`);
    return { type: "image", data: attachment.data, mimeType: attachment.mediaType };
  }
  const path = resolve(options.cwd, attachment.path);
  const size = await sizeOf(path, options);
  const link = { type: "resource_link", uri: pathToFileURL(path).href, name: attachment.name ?? basename(path) };
  if (attachment.kind === "file") {
    if (options.capabilities["embeddedContext"] !== true || size > inlineFileBytes) return link;
    const bytes = await readFile(path);
    if (bytes.includes(0)) return link;
    return { type: "resource", resource: { uri: link.uri, mimeType: "text/plain", text: bytes.toString("utf8") } };
  }
  if (!takesImages) return link;
  if (size > options.maxBytes)
    throw refused(options, "invalid_input", `${path} has ${size} bytes; the limit of a prompt is ${options.maxBytes}.`);
  const bytes = await readFile(path);
  const mimeType = imageType(bytes);
  if (mimeType === undefined) throw refused(options, "invalid_input", `${path} is not a PNG, JPEG, GIF or WebP image.`);
  return { type: "image", data: bytes.toString("base64"), mimeType, uri: link.uri };
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

export interface Diff {
  readonly path: string;
  /** Undefined (from some agents: empty) when the file did not exist before. */
  readonly before: string | undefined;
  readonly after: string;
}

export function diffsIn(items: readonly JsonObject[]): Diff[] {
  return items.flatMap((item) => {
    const path = text(item["path"]);
    const after = item["newText"];
    if (item["type"] !== "diff" || path === undefined || typeof after !== "string") return [];
    return [{ path, before: text(item["oldText"]), after }];
  });
}

/** Only for calls that succeeded: converts their diffs into `file.changed` events. */
export function changesOf(
  diffs: readonly Diff[],
  call: { callId: string; parent: string | undefined; deletes: boolean },
  cwd: string,
): AgentEventOf<"file.changed">[] {
  return diffs.map(({ path, before, after }) => {
    const shown = displayPath(path, cwd);
    const gone = call.deletes && after === "";
    const diff = unifiedDiff(shown, before, gone ? undefined : after);
    const event: AgentEventOf<"file.changed"> = {
      type: "file.changed",
      path: shown,
      op: gone ? "delete" : before === undefined ? "create" : "modify",
      ...diffStats(diff),
      callId: call.callId,
      parent: call.parent,
    };
    if (diff !== "" && diff.length <= defaultLimits.inlineBytes) event.diff = diff;
    return event;
  });
}

/** Joins the diffs of a proposed edit into one text, shown with the permission. */
export function proposalOf(diffs: readonly Diff[], cwd: string): string | undefined {
  const diff = diffs.map(({ path, before, after }) => unifiedDiff(displayPath(path, cwd), before, after)).join("");
  return diff === "" ? undefined : diff;
}
