/** What an edit would do, for the person who is asked; and what it did, for everybody. */
import { readFileSync, statSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { record } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import { diffStats, unifiedDiff } from "../../events/diff.ts";
import { defaultLimits } from "../../events/limits.ts";
import type { AgentEventOf } from "../../events/types.ts";
import { filePath } from "../shared/tool-call.ts";
import { workspacePath } from "../shared/workspace-path.ts";
import { canonicalTool } from "./tools.ts";

/** A larger file is not read for a difference. */
const maxBytes = 1024 * 1024;

/** Undefined where there is nothing to show: another tool, a file that is too large, an edit that does not fit. */
export function proposedDiff(nativeName: string, input: Wire, cwd: string): string | undefined {
  const tool = canonicalTool(nativeName);
  const path = filePath(input);
  if (path === undefined || (tool !== "write" && tool !== "edit")) return undefined;
  const before = contentOf(path, cwd);
  if (before === undefined) return undefined;
  const after = tool === "write" ? input["content"] : edited(before.text ?? "", input);
  if (typeof after !== "string" || after.length > maxBytes) return undefined;
  return unifiedDiff(workspacePath(path, cwd), before.text, after) || undefined;
}

/** Files as they were before a tool ran. */
export class Before {
  readonly #cwd: string;
  readonly #files = new Map<string, { path: string; text: string | undefined }>();

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  look(callId: string, nativeName: string, input: unknown): void {
    const tool = canonicalTool(nativeName);
    const path = filePath(record(input));
    if (path === undefined || (tool !== "write" && tool !== "edit" && tool !== "notebook")) return;
    const found = contentOf(path, this.#cwd);
    if (found !== undefined) this.#files.set(callId, { path, text: found.text });
  }

  /** The change with what is different now; as it is where the file was not looked at before. */
  compared(event: AgentEventOf<"file.changed">): AgentEventOf<"file.changed"> {
    const before = this.#files.get(event.callId ?? "");
    this.#files.delete(event.callId ?? "");
    const after = before === undefined ? undefined : contentOf(before.path, this.#cwd)?.text;
    if (before === undefined || after === undefined) return event;
    const diff = unifiedDiff(event.path, before.text, after);
    const op = before.text === undefined ? "create" : "modify";
    const changed = { ...event, op, ...diffStats(diff) } as const;
    return diff.length <= defaultLimits.inlineBytes ? { ...changed, diff } : changed;
  }
}

function edited(before: string, input: Wire): string | undefined {
  const { old_string: from, new_string: to } = input;
  if (typeof from !== "string" || typeof to !== "string" || !before.includes(from)) return undefined;
  // As functions, because a replacement text has a language of its own ($&).
  return input["replace_all"] === true ? before.replaceAll(from, () => to) : before.replace(from, () => to);
}

/** `text` is undefined when there is no such file. */
function contentOf(path: string, cwd: string): { text: string | undefined } | undefined {
  const place = isAbsolute(path) ? path : resolve(cwd, path);
  try {
    const found = statSync(place, { throwIfNoEntry: false });
    if (found === undefined) return { text: undefined };
    return found.isFile() && found.size <= maxBytes ? { text: readFileSync(place, "utf8") } : undefined;
  } catch {
    return undefined;
  }
}
