/** Which row shows an event that is known by itself, as a search finds it. Pure. */
import type { ReinsEvent } from "../../events/types.ts";
import type { Item } from "../../view/model.ts";
import type { Row } from "./rows.ts";

/** -1 where there is none. What a subagent said is within the row of its call; what has no row of its own is looked for where its turn begins. */
export function rowOf(rows: readonly Row[], event: ReinsEvent): number {
  const ending = rows.findIndex((row) => row.kind === "end" && row.turn.id === event.turnId);
  const beginning = rows.slice(0, Math.max(0, ending)).findLastIndex(({ kind }) => kind === "end") + 1;
  if (event.type === "turn.started") return ending === -1 ? -1 : beginning;
  const shows = (row: Row): boolean => row.kind === "item" && holds(row.item, (item) => isOf(item, event));
  const within = rows.findIndex((row, index) => index >= beginning && index <= ending && shows(row));
  if (within !== -1) return within;
  // What goes on in the background ends in another turn than it began in.
  const anywhere = rows.findIndex(shows);
  return anywhere === -1 && ending !== -1 ? beginning : anywhere;
}

function holds(item: Item, is: (item: Item) => boolean): boolean {
  return is(item) || (item.kind === "tool" && item.items.some((inner) => holds(inner, is)));
}

function isOf(item: Item, event: ReinsEvent): boolean {
  switch (event.type) {
    case "message.completed":
    case "thought.completed":
      // An agent may give the same id again.
      return (
        `${item.kind}.completed` === event.type &&
        "id" in item &&
        item.id === event.messageId &&
        item.text === event.text
      );
    case "input.added":
      return item.kind === "input" && item.text === event.text;
    case "file.changed":
      if (event.callId === undefined) return item.kind === "file" && item.path === event.path;
      return item.kind === "tool" && item.callId === event.callId;
    case "tool.started":
    case "tool.completed":
    case "tool.failed":
      return item.kind === "tool" && item.callId === event.callId;
    default:
      return false;
  }
}
