/** Files as they were before a tool ran: the program tells only that it changed one. */
import { resolve } from "node:path";
import { record } from "../../drivers/stream-json/read.ts";
import { unifiedDiff } from "../../events/diff.ts";
import type { AgentEventOf } from "../../events/types.ts";
import { fileAt, withDiff } from "../shared/file-before.ts";
import type { FileBefore } from "../shared/file-before.ts";
import { filePath } from "../shared/tool-call.ts";
import { canonicalTool } from "./tools.ts";

export class FilesBefore {
  readonly #cwd: string;
  readonly #files = new Map<string, FileBefore>();

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  look(callId: string, nativeName: string, input: unknown): void {
    const tool = canonicalTool(nativeName);
    const path = filePath(record(input));
    if (path === undefined || (tool !== "write" && tool !== "edit" && tool !== "notebook")) return;
    const file = fileAt(resolve(this.#cwd, path));
    if (!file.existed || file.text !== undefined) this.#files.set(callId, file);
  }

  /** The change with what is different now; as it is where the file was not looked at before. */
  compared(event: AgentEventOf<"file.changed">): AgentEventOf<"file.changed"> {
    const before = this.#files.get(event.callId ?? "");
    this.#files.delete(event.callId ?? "");
    const after = before === undefined ? undefined : fileAt(before.path).text;
    if (before === undefined || after === undefined) return event;
    const op = before.existed ? "modify" : "create";
    return withDiff({ ...event, op }, unifiedDiff(event.path, before.text, after));
  }
}
