/** Which files a call changed, and what one would change. Of a new file OpenCode tells no more than its name, so it is looked at before. */
import { resolve } from "node:path";
import { list, record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import type { AgentEventOf } from "../../events/types.ts";
import { diffWith, fileAt, hunksOf, replaced, withDiff } from "../shared/file-before.ts";
import type { FileBefore } from "../shared/file-before.ts";
import { workspacePath } from "../shared/workspace-path.ts";

type FileChanged = AgentEventOf<"file.changed">;

/** Undefined for a call that changes no file, or several. */
export function fileBefore(nativeName: string, input: unknown, cwd: string): FileBefore | undefined {
  const path = text(record(input)["filePath"]);
  if (path === undefined || (nativeName !== "write" && nativeName !== "edit")) return undefined;
  return fileAt(resolve(cwd, path));
}

/** What the call would do, for the person who is asked. */
export function proposedDiff(
  before: FileBefore | undefined,
  nativeName: string,
  input: Wire,
  cwd: string,
): string | undefined {
  if (nativeName === "apply_patch") return text(input["patchText"]);
  if (before === undefined) return undefined;
  const after = nativeName === "write" ? input["content"] : edited(before.text, input);
  return typeof after === "string" ? diffWith(before, after, cwd) : undefined;
}

export interface ChangingCall {
  readonly callId: string;
  readonly nativeName: string;
  readonly input: unknown;
  readonly before: FileBefore | undefined;
  readonly parent: string | undefined;
}

/** Only for a call that succeeded. */
export function filesChanged(call: ChangingCall, metadata: Wire, cwd: string): FileChanged[] {
  const { callId, parent } = call;
  const changed = (path: string, op: FileChanged["op"], diff: string | undefined, oldPath?: string): FileChanged => {
    const event: FileChanged = { type: "file.changed", path, op, callId, parent };
    if (oldPath !== undefined) event.oldPath = oldPath;
    return withDiff(event, diff);
  };
  switch (call.nativeName) {
    case "write":
      return writtenFile(call, metadata, cwd, changed);
    case "edit":
    case "multiedit": {
      const path = text(record(metadata["filediff"])["file"]) ?? text(record(call.input)["filePath"]);
      if (path === undefined) return [];
      const place = workspacePath(path, cwd);
      const created = call.before?.existed === false;
      return [changed(place, created ? "create" : "modify", hunksOf(text(metadata["diff"]), place))];
    }
    case "apply_patch":
      return list(metadata["files"]).flatMap((file) => patchedFile(record(file), cwd, changed));
    default:
      return [];
  }
}

type Changed = (path: string, op: FileChanged["op"], diff: string | undefined, oldPath?: string) => FileChanged;

function writtenFile({ input, before }: ChangingCall, metadata: Wire, cwd: string, changed: Changed): FileChanged[] {
  const path = text(metadata["filepath"]) ?? text(record(input)["filePath"]);
  if (path === undefined) return [];
  const { content } = record(input);
  // Where another hook changed the input, what was looked at is another file.
  const known = before?.path === resolve(cwd, path) ? before : undefined;
  const diff = known !== undefined && typeof content === "string" ? diffWith(known, content, cwd) : undefined;
  return [changed(workspacePath(path, cwd), metadata["exists"] === true ? "modify" : "create", diff)];
}

const operations: Readonly<Record<string, FileChanged["op"]>> = { add: "create", delete: "delete", move: "move" };

function patchedFile(file: Wire, cwd: string, changed: Changed): FileChanged[] {
  const path = text(file["filePath"]) ?? text(file["relativePath"]);
  if (path === undefined) return [];
  const from = workspacePath(path, cwd);
  const moved = text(file["movePath"]);
  const op = operations[String(file["type"])] ?? "modify";
  const to = moved === undefined || op !== "move" ? from : workspacePath(moved, cwd);
  const diff = hunksOf(text(file["patch"]) ?? text(file["diff"]), to);
  return [changed(to, op, diff, op === "move" ? from : undefined)];
}

function edited(before: string | undefined, input: Wire): string | undefined {
  const { oldString: from, newString: to } = input;
  if (from === "") return typeof to === "string" ? to : undefined;
  return before === undefined ? undefined : replaced(before, from, to, input["replaceAll"] === true);
}
