/** What a patch does to files: before it is applied for the person who is asked, and afterwards as what changed. */
import { unifiedDiff } from "../../events/diff.ts";
import type { AgentEventOf } from "../../events/types.ts";
import { list, record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import { withDiff } from "../shared/file-before.ts";
import { workspacePath } from "../shared/workspace-path.ts";

interface Change {
  readonly path: string;
  readonly oldPath: string | undefined;
  readonly op: "create" | "modify" | "delete" | "move";
  readonly diff: string;
}

/** The whole patch as one diff. */
export function proposedDiff(item: Wire, cwd: string): string | undefined {
  return (
    changesOf(item, cwd)
      .map(({ diff }) => diff)
      .join("") || undefined
  );
}

/** Of a patch that was applied, one event a file. */
export function filesChanged(item: Wire, callId: string, parent: string | undefined, cwd: string) {
  return changesOf(item, cwd).map(({ path, oldPath, op, diff }): AgentEventOf<"file.changed"> => {
    const event: AgentEventOf<"file.changed"> = { type: "file.changed", path, op, callId, parent };
    if (oldPath !== undefined) event.oldPath = oldPath;
    return withDiff(event, diff || undefined);
  });
}

function changesOf(item: Wire, cwd: string): Change[] {
  return list(item["changes"]).flatMap((value) => {
    const change = record(value);
    const from = text(change["path"]);
    if (from === undefined) return [];
    const { type, move_path: to } = record(change["kind"]);
    const moved = text(to);
    const oldPath = moved === undefined ? undefined : workspacePath(from, cwd);
    const path = workspacePath(moved ?? from, cwd);
    const op = oldPath !== undefined ? "move" : type === "add" ? "create" : type === "delete" ? "delete" : "modify";
    return [{ path, oldPath, op, diff: diffOf(op, path, oldPath, change["diff"]) }];
  });
}

/** A new file comes whole, a deleted one too; of a changed one there are the hunks. */
function diffOf(op: Change["op"], path: string, oldPath: string | undefined, given: unknown): string {
  // Of a moved one it says where to below the hunks.
  const diff = typeof given === "string" ? given.replace(/\n+Moved to: .*\n?$/, "\n") : "";
  if (op === "create") return unifiedDiff(path, undefined, diff);
  if (op === "delete") return unifiedDiff(path, diff, undefined);
  return diff === "" ? "" : `--- a/${oldPath ?? path}\n+++ b/${path}\n${diff.endsWith("\n") ? diff : `${diff}\n`}`;
}
