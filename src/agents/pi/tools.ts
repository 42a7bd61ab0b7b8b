/** Maps pi's tools to canonical terms: names, inputs, paths, results and the files that a call changes. */
import { isAbsolute, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { toolForName } from "../../events/aliases.ts";
import { canonicalInput } from "../../events/canonical-input.ts";
import { clipText } from "../../events/clip.ts";
import { defaultLimits } from "../../events/limits.ts";
import { displayPath } from "../../events/paths.ts";
import { titleOf } from "../../events/titles.ts";
import { toolKinds, type CanonicalInput, type Tool } from "../../events/tools.ts";
import type { AgentEventOf, Content, Location, ToolOutput } from "../../events/types.ts";
import { isRecord, list, number, record, text, type JsonObject } from "../../protocols/json.ts";
import type { Outcome, StoppedBy } from "../shared/calls.ts";
import { diffWith, fileAt, hunksOf, replaced, withDiff, type FileBefore } from "../shared/file-before.ts";
import { resultText } from "../shared/stream-json-calls.ts";
import type { ToolCall } from "../shared/tool-call.ts";

const toolNames: ReadonlyMap<string, Tool> = new Map<string, Tool>([
  ["read", "read"],
  ["write", "write"],
  ["edit", "edit"],
  ["bash", "shell"],
  ["powershell", "shell"],
  ["grep", "grep"],
  ["find", "glob"],
  ["ls", "list"],
]);

export const lookingTools: readonly string[] = ["read", "grep", "find", "ls"];

/** Extensions choose any names for their tools. */
export function canonicalTool(nativeName: string): Tool {
  return toolNames.get(nativeName) ?? toolForName(nativeName) ?? "other";
}

export function toolCall(nativeName: string, input: unknown, places: Places): Omit<ToolCall, "mcp"> {
  const tool = canonicalTool(nativeName);
  const given = record(input);
  const canonical = toolNames.has(nativeName) ? ownInput(tool, given) : canonicalInput(tool, input);
  return {
    tool,
    nativeName,
    kind: toolKinds[tool],
    title: titleOf(tool, canonical, { cwd: places.cwd, nativeName }),
    locations: toolNames.has(nativeName) ? locationsOf(tool, given, places) : undefined,
  };
}

function ownInput(tool: Tool, input: JsonObject): CanonicalInput {
  if (tool === "shell") return { command: text(input["command"]) };
  return { path: text(input["path"]), pattern: text(input["pattern"]) };
}

function locationsOf(tool: Tool, input: JsonObject, places: Places): Location[] | undefined {
  const path = text(input["path"]);
  if (path === undefined || !["read", "write", "edit"].includes(tool)) return undefined;
  const place = displayPath(placeOf(path, places), places.cwd);
  const line = number(input["offset"]);
  return [line !== undefined && Number.isInteger(line) && line > 0 ? { path: place, line } : { path: place }];
}

/** All tools with a canonical name, or the one with this native name. */
export function nativeToolNames(canonicalOrNative: string): string[] {
  const names = [...toolNames].filter(([, tool]) => tool === canonicalOrNative).map(([native]) => native);
  return names.length > 0 ? names : [canonicalOrNative];
}

/** False for the tool of an extension, of which only the name is known. */
export function isOwnTool(nativeName: string): boolean {
  return toolNames.has(nativeName);
}

const unusualSpaces = /[\u00A0\u2000-\u200A\u202F\u205F\u3000]/g;

export interface Places {
  readonly cwd: string;
  /** Home of the pi process, which may differ from that of Reins. */
  readonly home: string;
}

/**
 * The path as pi resolves it: it removes an `@`, knows `~` and `file:`, and normalises spaces. A `..` stays, because
 * after a link it may lead elsewhere; the decision about the path considers both readings.
 */
export function placeOf(path: string, { cwd, home }: Places): string {
  const plain = path.replaceAll(unusualSpaces, " ").replace(/^@/, "");
  if (plain === "~") return home;
  if (plain.startsWith("file://")) return fromUrl(plain) ?? path;
  const place = plain.startsWith("~/") ? home + plain.slice(1) : isAbsolute(plain) ? plain : `${cwd}/${plain}`;
  return place.split("/").includes("..") ? place : resolve(place);
}

function fromUrl(url: string): string | undefined {
  try {
    return fileURLToPath(url);
  } catch {
    return undefined;
  }
}

/** pi only reports that it wrote, so the file is read before the call runs. Undefined for a call that changes no file. */
export function fileBefore(nativeName: string, input: unknown, places: Places): FileBefore | undefined {
  const path = text(record(input)["path"]);
  if (path === undefined || (nativeName !== "write" && nativeName !== "edit")) return undefined;
  return fileAt(resolve(placeOf(path, places)));
}

export function proposedDiff(
  before: FileBefore | undefined,
  nativeName: string,
  input: JsonObject,
  cwd: string,
): string | undefined {
  if (before === undefined) return undefined;
  const after = nativeName === "write" ? input["content"] : edited(before.text, input);
  return typeof after === "string" ? diffWith(before, after, cwd) : undefined;
}

/** Call only after a successful call. An edit has its own patch, which alone shows how the text was matched. */
export function fileChanged(
  callId: string,
  before: FileBefore,
  input: JsonObject,
  details: JsonObject,
  cwd: string,
): AgentEventOf<"file.changed"> {
  const path = displayPath(before.path, cwd);
  const event: AgentEventOf<"file.changed"> = {
    type: "file.changed",
    path,
    op: before.existed ? "modify" : "create",
    callId,
  };
  const { content } = input;
  const diff =
    hunksOf(text(details["patch"]), path) ?? (typeof content === "string" ? diffWith(before, content, cwd) : undefined);
  return withDiff(event, diff);
}

function edited(before: string | undefined, input: JsonObject): string | undefined {
  let after = before;
  for (const edit of list(input["edits"]).filter(isRecord)) {
    if (after !== undefined) after = replaced(after, edit["oldText"], edit["newText"]);
  }
  return after === before ? undefined : after;
}

export function outcomeOf(result: JsonObject, isError: boolean, stopped?: StoppedBy): Outcome {
  return { output: outputOf(result), failed: isError ? failureOf(result, stopped) : undefined };
}

function outputOf(result: JsonObject): ToolOutput {
  const said = resultText(result["content"]);
  const kept = Buffer.byteLength(said);
  const whole = number(record(record(result["details"])["truncation"])["totalBytes"]) ?? 0;
  const output: ToolOutput = { text: said, bytes: Math.max(whole, kept), kept };
  const content = imagesOf(result["content"]);
  if (content.length > 0) output.content = content;
  return output;
}

function failureOf(result: JsonObject, stopped: StoppedBy | undefined): Outcome["failed"] {
  const said = resultText(result["content"]);
  const error: AgentEventOf<"tool.failed">["error"] = {
    message: clipText(said, defaultLimits.inlineBytes).text || "The tool failed without a message.",
  };
  const exitCode = /(?:^|\n)Command exited with code (\d+)$/.exec(said)?.[1];
  if (exitCode !== undefined) error.exitCode = Number(exitCode);
  if (stopped !== undefined) return { error, reason: stopped };
  if (/(?:^|\n)(?:Operation|Command) aborted$/.test(said)) return { error, reason: "cancelled" };
  return { error, reason: /(?:^|\n)Command timed out after \S+ seconds$/.test(said) ? "timeout" : "error" };
}

function imagesOf(content: unknown): Content[] {
  return list(content).flatMap((part): Content[] => {
    const data = isRecord(part) && part["type"] === "image" ? text(part["data"]) : undefined;
    if (data === undefined) return [];
    const bytes = Math.floor((data.length * 3) / 4) - (data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0);
    return [{ type: "image", mediaType: text(record(part)["mimeType"]) ?? "image/png", data, bytes }];
  });
}
