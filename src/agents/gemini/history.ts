/** Past conversations of Gemini CLI: one file of JSON lines each, in a folder per workspace. */
import { createHash } from "node:crypto";
import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { canonicalInput } from "../../events/canonical-input.ts";
import { displayPath } from "../../events/paths.ts";
import { titleOf } from "../../events/titles.ts";
import { toolKinds } from "../../events/tools.ts";
import type { AgentEvent, AgentEventOf } from "../../events/types.ts";
import { isRecord, list, record, records, text, type JsonObject } from "../../protocols/json.ts";
import type { AgentHistory, PastPrompt } from "../contract.ts";
import { withDiff } from "../shared/file-diff.ts";
import { historyNote } from "../shared/history/files.ts";
import { jsonlHistory, type PastReader } from "../shared/history/jsonl.ts";
import { pastPrompt, type PastConversation } from "../shared/history/past-conversation.ts";
import { geminiFolder, stateOf, type Environment } from "./program.ts";
import { canonicalTool } from "./tools.ts";

const conversation = /^[^/]+\/chats\/session-[\w-]+\.jsonl$/;

export function history(geminiFolder: string): AgentHistory {
  return jsonlHistory({
    folder: join(geminiFolder, "tmp"),
    depth: 2,
    files: conversation,
    state: stateOf,
    async reader(past, path) {
      // A file beside the conversations names the workspace.
      past.cwd ??= text((await historyNote(join(dirname(dirname(path)), ".project_root"))).trim());
      return new GeminiPast(past);
    },
  });
}

/** A line holds one message, or all messages of a conversation that was rewritten. */
function messagesOf(entry: JsonObject): readonly JsonObject[] {
  if (text(entry["id"]) !== undefined) return [entry];
  return records(record(entry["$set"])["messages"]);
}

/** The prompt in a `user` message; undefined for results of calls and for text that the program adds for its model. */
function promptOf({ content }: JsonObject): PastPrompt | undefined {
  const parts: readonly JsonObject[] = typeof content === "string" ? [{ text: content }] : records(content);
  const said = parts.flatMap((part) => text(part["text"]) ?? []).filter((part) => !forModel.test(part));
  const images = parts.filter((part) => isRecord(part["inlineData"]));
  return pastPrompt(said, images.length);
}

const forModel = /^\s*<(?:session_context|system-reminder)>/;

export class GeminiPast implements PastReader {
  readonly #past: PastConversation;
  readonly #started = new Set<string>();
  readonly #ended = new Set<string>();

  constructor(past: PastConversation) {
    this.#past = past;
  }

  line(entry: JsonObject): void {
    const past = this.#past;
    const id = text(entry["sessionId"]);
    if (id !== undefined) {
      past.at(text(entry["startTime"])).id = id;
      past.ofSubagent = (entry["kind"] ?? "main") !== "main";
    }
    past.title = text(record(entry["$set"])["summary"]) ?? past.title;
    for (const message of messagesOf(entry)) this.#message(message);
  }

  #message(message: JsonObject): void {
    const id = text(message["id"]);
    if (id === undefined) return;
    if (this.#past.isNew(id)) {
      this.#past.at(text(message["timestamp"]));
      this.#past.model = text(message["model"]) ?? this.#past.model;
      this.#said(message);
    }
    // A message may hold all calls; it is written again with each of them.
    for (const call of records(message["toolCalls"])) this.#call(call);
  }

  #said(message: JsonObject): void {
    const said = text(message["content"]) ?? "";
    switch (message["type"]) {
      case "user": {
        const prompt = promptOf(message);
        if (prompt !== undefined) this.#past.prompt(prompt);
        return;
      }
      case "gemini":
        this.#past.thought(
          records(message["thoughts"])
            .flatMap((one) => text(one["description"]) ?? [])
            .join(" "),
        );
        return this.#past.message(said);
      case "error":
        return this.#past.event({ type: "notice", level: "error", code: "agent", message: said });
    }
  }

  #call(call: JsonObject): void {
    const callId = text(call["id"]);
    if (callId === undefined || this.#ended.has(callId)) return;
    this.#past.at(text(call["timestamp"]));
    if (!this.#started.has(callId)) {
      this.#started.add(callId);
      this.#past.event(startOf(callId, call, this.#past.cwd ?? ""));
    }
    const end = endOf(callId, call, this.#past.cwd ?? "");
    if (end.length === 0) return;
    this.#ended.add(callId);
    for (const event of end) this.#past.event(event);
  }
}

function startOf(callId: string, call: JsonObject, cwd: string): AgentEventOf<"tool.started"> {
  const nativeName = text(call["name"]) ?? "unknown";
  const tool = canonicalTool(nativeName);
  const input = call["args"] ?? {};
  const canonical = canonicalInput(tool, input);
  const path = text(record(input)["file_path"]) ?? text(record(input)["absolute_path"]);
  return {
    type: "tool.started",
    callId,
    tool,
    nativeName,
    kind: toolKinds[tool],
    title: titleOf(tool, canonical, { cwd, nativeName }),
    input,
    ...(path === undefined ? {} : { locations: [{ path: displayPath(path, cwd) }] }),
  };
}

/** The end of a call and its file change; empty while it runs. */
function endOf(callId: string, call: JsonObject, cwd: string): AgentEvent[] {
  const { status, resultDisplay } = call;
  const { output, error } = record(record(record(list(call["result"])[0])["functionResponse"])["response"]);
  const told = text(error) ?? text(output) ?? "";
  switch (status) {
    case "success": {
      const shell = canonicalTool(text(call["name"]) ?? "") === "shell" ? shellReport(told) : undefined;
      const said = shell?.output ?? told;
      const bytes = Buffer.byteLength(said);
      const done: AgentEventOf<"tool.completed"> = {
        type: "tool.completed",
        callId,
        output: { text: said, bytes, kept: bytes },
        ...(shell?.exitCode === undefined ? {} : { exitCode: shell.exitCode }),
      };
      const changed = fileChanged(callId, record(resultDisplay), cwd);
      return changed === undefined ? [done] : [done, changed];
    }
    case "error":
    case "cancelled": {
      const reason = status === "cancelled" ? "cancelled" : /\bdenied by policy\b/.test(told) ? "denied" : "error";
      const message = told || text(resultDisplay) || "The tool failed without a message.";
      return [{ type: "tool.failed", callId, error: { message }, reason }];
    }
    default:
      return [];
  }
}

/** Reads the report of a command to the model: its output among other lines. */
function shellReport(told: string): { output: string; exitCode: number | undefined } | undefined {
  const inside = /^<untrusted_context>\n([\s\S]*)\n<\/untrusted_context>\s*$/.exec(told)?.[1] ?? told;
  const [, output, rest = ""] =
    /^Output: ([\s\S]*?)((?:\n(?:Error|Exit Code|Signal|Background PIDs|Process Group PGID): .*)*)$/.exec(inside) ?? [];
  if (output === undefined) return undefined;
  const code = /^Exit Code: (-?\d+)$/m.exec(rest)?.[1];
  return { output: output === "(empty)" ? "" : output, exitCode: code === undefined ? undefined : Number(code) };
}

function fileChanged(callId: string, shown: JsonObject, cwd: string): AgentEventOf<"file.changed"> | undefined {
  const path = text(shown["filePath"]);
  if (path === undefined || text(shown["fileDiff"]) === undefined) return undefined;
  const op = shown["isNewFile"] === true ? "create" : "modify";
  return withDiff({ type: "file.changed", path: displayPath(path, cwd), op, callId }, shown["fileDiff"]);
}

/*
 * Protects the files of a session that is resumed. Three habits of the program would lose the conversation:
 * - The name of a file contains the minute in which the session began, and loading a session first begins a file of the
 * current minute: within that minute the program empties the history that it is about to read. So the file gets the
 * name of an earlier minute; the program finds a session by the content of its file.
 * - The file that it begins stays without a message, and at each start it removes such files together with every other
 * file of the same session. So Reins removes them before that.
 * - It thereby removes the file of a session that was opened elsewhere and not prompted yet; later messages are then in
 * a new file without the line that names the session. Reins puts that line back.
 */

/** Call it before the program loads the session. */
export async function keepHistory(sessionId: string, env: Environment, now: number = Date.now()): Promise<void> {
  for (const project of await projectsWith(sessionId, env)) {
    await removeEmpty(project, sessionId);
    const files = await filesOf(project, sessionId);
    for (const file of files) await putHeaderBack(project, file, sessionId);
    const present = fileName(sessionId, now);
    if (files.includes(present)) await rename(chat(project, present), chat(project, freeName(files, sessionId, now)));
  }
}

/** Call it when the program has loaded the session. */
export async function tidyHistory(sessionId: string, env: Environment): Promise<void> {
  for (const project of await projectsWith(sessionId, env)) await removeEmpty(project, sessionId);
}

async function removeEmpty(project: string, sessionId: string): Promise<void> {
  const files = await filesOf(project, sessionId);
  const texts = await Promise.all(files.map((file) => readFile(chat(project, file), "utf8").catch(() => "")));
  if (!texts.some(hasMessages)) return;
  for (const [index, file] of files.entries())
    if (!hasMessages(texts[index]!)) await rm(chat(project, file), { force: true });
}

/** A message has its own line that begins with its id. */
function hasMessages(text: string): boolean {
  return /^\{"id":/m.test(text);
}

async function putHeaderBack(project: string, file: string, sessionId: string): Promise<void> {
  const text = await readFile(chat(project, file), "utf8");
  if (text === "" || text.startsWith('{"sessionId":')) return;
  const root = await readFile(join(project, ".project_root"), "utf8").catch(() => undefined);
  if (root === undefined) return;
  const projectHash = createHash("sha256").update(root.trim()).digest("hex");
  const time = new Date().toISOString();
  const header = { sessionId, projectHash, startTime: time, lastUpdated: time, kind: "main" };
  await writeFile(chat(project, file), `${JSON.stringify(header)}\n${text}`);
}

async function projectsWith(sessionId: string, env: Environment): Promise<string[]> {
  // The id becomes part of a path.
  if (!/^[\w-]+$/.test(sessionId)) return [];
  const folder = join(geminiFolder(env), "tmp");
  const projects = (await readdir(folder).catch(() => [])).map((name) => join(folder, name));
  const counts = await Promise.all(projects.map(async (project) => (await filesOf(project, sessionId)).length));
  return projects.filter((_, index) => counts[index]! > 0);
}

async function filesOf(project: string, sessionId: string): Promise<string[]> {
  const names = await readdir(join(project, "chats")).catch(() => []);
  return names.filter((name) => name.startsWith("session-") && name.endsWith(`-${sessionId.slice(0, 8)}.jsonl`));
}

function chat(project: string, file: string): string {
  return join(project, "chats", file);
}

function freeName(taken: readonly string[], sessionId: string, now: number): string {
  for (let minute = 1; ; minute++) {
    const name = fileName(sessionId, now - minute * 60_000);
    if (!taken.includes(name)) return name;
  }
}

function fileName(sessionId: string, time: number): string {
  const minute = new Date(time).toISOString().slice(0, 16).replace(":", "-");
  return `session-${minute}-${sessionId.slice(0, 8)}.jsonl`;
}
