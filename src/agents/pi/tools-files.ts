/** Which file a call changed. pi tells no more than that it wrote; what was there before is looked at before it runs. */
import { readFileSync, statSync } from "node:fs";
import { diffStats, unifiedDiff } from "../../events/diff.ts";
import { defaultLimits } from "../../events/limits.ts";
import type { AgentEventOf } from "../../events/types.ts";
import { isRecord, list, record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import { placeOf, workspacePath } from "./paths.ts";
import type { Places } from "./paths.ts";

/** A larger file is not read for a comparison. */
const maxBytes = 1024 * 1024;

/** A file as it was before a call that may change it. */
export interface Before {
  readonly path: string;
  readonly existed: boolean;
  /** Undefined where it was not there, or is too large. */
  readonly text: string | undefined;
}

/** Undefined for a call that changes no file. */
export function fileBefore(nativeName: string, input: unknown, places: Places): Before | undefined {
  const path = text(record(input)["path"]);
  if (path === undefined || (nativeName !== "write" && nativeName !== "edit")) return undefined;
  const place = placeOf(path, places);
  try {
    const found = statSync(place, { throwIfNoEntry: false });
    const readable = found?.isFile() === true && found.size <= maxBytes;
    return { path: place, existed: found !== undefined, text: readable ? readFileSync(place, "utf8") : undefined };
  } catch {
    return { path: place, existed: true, text: undefined };
  }
}

/** What the call would do, for the person who is asked. */
export function proposedDiff(
  before: Before | undefined,
  nativeName: string,
  input: Wire,
  cwd: string,
): string | undefined {
  if (before === undefined) return undefined;
  const after = nativeName === "write" ? input["content"] : edited(before.text, input);
  return typeof after === "string" ? diffOf(before, after, cwd) : undefined;
}

/** Only for a call that succeeded. An edit brings its own patch, the only one that knows how it was matched. */
export function fileChanged(
  callId: string,
  before: Before,
  input: Wire,
  details: Wire,
  cwd: string,
): AgentEventOf<"file.changed"> {
  const path = workspacePath(before.path, cwd);
  const event: AgentEventOf<"file.changed"> = {
    type: "file.changed",
    path,
    op: before.existed ? "modify" : "create",
    callId,
  };
  const { content } = input;
  const diff =
    hunksOf(text(details["patch"]), path) ?? (typeof content === "string" ? diffOf(before, content, cwd) : undefined);
  if (diff === undefined) return event;
  Object.assign(event, diffStats(diff));
  if (diff.length <= defaultLimits.inlineBytes) event.diff = diff;
  return event;
}

function diffOf(before: Before, after: string, cwd: string): string | undefined {
  if (after.length > maxBytes || (before.existed && before.text === undefined)) return undefined;
  return unifiedDiff(workspacePath(before.path, cwd), before.text, after) || undefined;
}

function hunksOf(patch: string | undefined, path: string): string | undefined {
  const start = patch?.search(/^@@ /m) ?? -1;
  return start < 0 ? undefined : `--- a/${path}\n+++ b/${path}\n${patch!.slice(start)}`;
}

function edited(before: string | undefined, input: Wire): string | undefined {
  let after = before;
  for (const edit of list(input["edits"]).filter(isRecord)) {
    const { oldText: from, newText: to } = edit;
    if (after === undefined || typeof from !== "string" || typeof to !== "string" || !after.includes(from))
      return undefined;
    // As a function, because a replacement text has a language of its own ($&).
    after = after.replace(from, () => to);
  }
  return after === before ? undefined : after;
}
