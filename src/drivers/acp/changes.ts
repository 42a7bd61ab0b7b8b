/** The files a call changed, from the diffs it carried. */
import { isAbsolute, relative, sep } from "node:path";
import { diffStats, unifiedDiff } from "../../events/diff.ts";
import { defaultLimits } from "../../events/limits.ts";
import type { AgentEventOf } from "../../events/types.ts";
import { text } from "./read.ts";
import type { Wire } from "./read.ts";

export interface Diff {
  readonly path: string;
  /** Undefined: there was no such file. Some agents say so with an empty text. */
  readonly before: string | undefined;
  readonly after: string;
}

export function diffsIn(items: readonly Wire[]): Diff[] {
  return items.flatMap((item) => {
    const path = text(item["path"]);
    const after = item["newText"];
    if (item["type"] !== "diff" || path === undefined || typeof after !== "string") return [];
    return [{ path, before: text(item["oldText"]), after }];
  });
}

/** Only for a call that is over and went well. */
export function changesOf(
  diffs: readonly Diff[],
  call: { callId: string; parent: string | undefined; deletes: boolean },
  cwd: string,
): AgentEventOf<"file.changed">[] {
  return diffs.map(({ path, before, after }) => {
    const place = workspacePath(path, cwd);
    const gone = call.deletes && after === "";
    const diff = unifiedDiff(place, before, gone ? undefined : after);
    const event: AgentEventOf<"file.changed"> = {
      type: "file.changed",
      path: place,
      op: gone ? "delete" : before === undefined ? "create" : "modify",
      ...diffStats(diff),
      callId: call.callId,
      parent: call.parent,
    };
    if (diff !== "" && diff.length <= defaultLimits.inlineBytes) event.diff = diff;
    return event;
  });
}

/** What an edit would do, for the one who is asked. */
export function proposalOf(diffs: readonly Diff[], cwd: string): string | undefined {
  const diff = diffs.map(({ path, before, after }) => unifiedDiff(workspacePath(path, cwd), before, after)).join("");
  return diff === "" ? undefined : diff;
}

/** Relative where it is inside the workspace. */
function workspacePath(path: string, cwd: string): string {
  const from = relative(cwd, path);
  return isAbsolute(path) && from !== "" && from !== ".." && !from.startsWith(`..${sep}`) && !isAbsolute(from)
    ? from
    : path;
}
