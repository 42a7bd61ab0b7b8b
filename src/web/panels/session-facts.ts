/** Summarises a conversation: its plan and the files it changed. */
import type { Conversation, FileChange, Item, PlanItem } from "../../view/model.ts";

export interface ChangedFile {
  readonly path: string;
  /** The final state of the file. */
  readonly op: FileChange["op"];
  readonly added: number;
  readonly removed: number;
  /** In the order in which they were made. */
  readonly changes: readonly FileChange[];
}

/** The items of all turns and those between them, in order. */
export function itemsOf({ entries }: Conversation): readonly Item[] {
  return entries.flatMap((entry) => (entry.kind === "turn" ? entry.items : [entry]));
}

export function planOf(conversation: Conversation): PlanItem["entries"] | undefined {
  return itemsOf(conversation).findLast((item) => item.kind === "plan")?.entries;
}

/** Total lines added and removed. */
export function lineCounts(
  files: readonly { readonly added?: number | undefined; readonly removed?: number | undefined }[],
) {
  const counts = { added: 0, removed: 0 };
  for (const { added = 0, removed = 0 } of files) {
    counts.added += added;
    counts.removed += removed;
  }
  return counts;
}

export function changedFiles(conversation: Conversation): readonly ChangedFile[] {
  const byPath = Map.groupBy(changesIn(itemsOf(conversation)), ({ path }) => path);
  return [...byPath].map(([path, changes]) => ({ path, op: opOf(changes), ...lineCounts(changes), changes }));
}

function* changesIn(items: readonly Item[]): Generator<FileChange> {
  for (const item of items) {
    if (item.kind === "file") yield item;
    if (item.kind !== "tool") continue;
    yield* item.files;
    yield* changesIn(item.items);
  }
}

/** A file that was created and then modified counts as created. */
function opOf(changes: readonly FileChange[]): FileChange["op"] {
  const last = changes.at(-1)!.op;
  return last === "modify" && changes[0]!.op === "create" ? "create" : last;
}
