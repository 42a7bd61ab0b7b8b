/** Which file a call changed. pi tells no more than that it wrote; what was there before is looked at before it runs. */
import type { AgentEventOf } from "../../events/types.ts";
import { isRecord, list, record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import { diffWith, fileAt, hunksOf, replaced, withDiff } from "../shared/file-before.ts";
import type { FileBefore } from "../shared/file-before.ts";
import { workspacePath } from "../shared/workspace-path.ts";
import { placeOf } from "./paths.ts";
import type { Places } from "./paths.ts";

/** Undefined for a call that changes no file. */
export function fileBefore(nativeName: string, input: unknown, places: Places): FileBefore | undefined {
  const path = text(record(input)["path"]);
  if (path === undefined || (nativeName !== "write" && nativeName !== "edit")) return undefined;
  return fileAt(placeOf(path, places));
}

/** What the call would do, for the person who is asked. */
export function proposedDiff(
  before: FileBefore | undefined,
  nativeName: string,
  input: Wire,
  cwd: string,
): string | undefined {
  if (before === undefined) return undefined;
  const after = nativeName === "write" ? input["content"] : edited(before.text, input);
  return typeof after === "string" ? diffWith(before, after, cwd) : undefined;
}

/** Only for a call that succeeded. An edit brings its own patch, the only one that knows how it was matched. */
export function fileChanged(
  callId: string,
  before: FileBefore,
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
    hunksOf(text(details["patch"]), path) ?? (typeof content === "string" ? diffWith(before, content, cwd) : undefined);
  return withDiff(event, diff);
}

function edited(before: string | undefined, input: Wire): string | undefined {
  let after = before;
  for (const edit of list(input["edits"]).filter(isRecord)) {
    if (after !== undefined) after = replaced(after, edit["oldText"], edit["newText"]);
  }
  return after === before ? undefined : after;
}
