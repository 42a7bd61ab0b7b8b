/** What a conversation comes to: its plan, the files that changed in it, and how often. Pure. */
import type { Conversation, FileChange, Item, PlanItem, TurnEntry } from "../../view/model.ts";

export interface ChangedFile {
  readonly path: string;
  /** What became of it in the end. */
  readonly op: FileChange["op"];
  readonly added: number;
  readonly removed: number;
  /** In the order in which they were made. */
  readonly changes: readonly FileChange[];
}

export function planOf({ entries }: Conversation): PlanItem["entries"] | undefined {
  for (const item of backwards(entries)) if (item.kind === "plan") return item.entries;
  return undefined;
}

function* backwards(entries: readonly (TurnEntry | Item)[]): Generator<Item> {
  for (let at = entries.length - 1; at >= 0; at--) {
    const entry = entries[at]!;
    if (entry.kind === "turn") yield* backwards(entry.items);
    else yield entry;
  }
}

export function changedFiles({ entries }: Conversation): readonly ChangedFile[] {
  const byPath = new Map<string, FileChange[]>();
  for (const change of changesIn(entries)) {
    const known = byPath.get(change.path);
    if (known === undefined) byPath.set(change.path, [change]);
    else known.push(change);
  }
  return [...byPath].map(([path, changes]) => ({
    path,
    op: opOf(changes),
    added: sum(changes.map(({ added = 0 }) => added)),
    removed: sum(changes.map(({ removed = 0 }) => removed)),
    changes,
  }));
}

function* changesIn(entries: readonly (TurnEntry | Item)[]): Generator<FileChange> {
  for (const entry of entries) {
    if (entry.kind === "file") yield entry;
    if (entry.kind === "tool") yield* entry.files;
    if (entry.kind === "turn" || entry.kind === "tool") yield* changesIn(entry.items);
  }
}

/** A file that was made here and then changed is still a new one. */
function opOf(changes: readonly FileChange[]): FileChange["op"] {
  const last = changes.at(-1)!.op;
  return last === "modify" && changes[0]!.op === "create" ? "create" : last;
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((all, one) => all + one, 0);
}
