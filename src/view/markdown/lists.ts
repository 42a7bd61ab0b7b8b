import { closes, fenceOf, indentOf, itemOf, type Mark, outdent } from "./lines.ts";
import type { Block, ListItem } from "./nodes.ts";
import { goesOn, isLast, isPending, type Lines } from "./source.ts";

export function list(source: Lines, at: number): { block: Block; to: number } {
  const first = itemOf(source.lines[at]!)!;
  const items: ListItem[] = [];
  let loose = false;
  let end = at;
  for (let mark: Mark | undefined = first; mark !== undefined;) {
    const inside = itemLines(source, end, mark);
    items.push(item(source, inside.lines, inside.to));
    source.left.nodes--;
    end = inside.to;
    const next = afterBlank(source.lines, end);
    mark = source.left.nodes > 0 ? sibling(source, next, first) : undefined;
    loose ||= inside.loose || (mark !== undefined && next > end);
    if (mark !== undefined) end = next;
  }
  return { block: { kind: "list", start: first.ordered ? first.start : undefined, loose, items }, to: end };
}

function sibling(source: Lines, at: number, first: Mark): Mark | undefined {
  const mark = isPending(source, at) ? undefined : itemOf(source.lines[at] ?? "");
  if (mark === undefined || mark.indent > first.indent + 1) return undefined;
  return mark.ordered === first.ordered && mark.letter === first.letter ? mark : undefined;
}

/** What belongs to one item, without the space that says so. */
function itemLines(source: Lines, at: number, mark: Mark): { lines: string[]; to: number; loose: boolean } {
  const { lines } = source;
  const inside = [lines[at]!.slice(mark.content)];
  let fence = fenceOf(inside[0]!)?.marks;
  let loose = false;
  let end = at + 1;
  while (end < lines.length) {
    const next = afterBlank(lines, end);
    const line = lines[next];
    if (line === undefined || isPending(source, next)) break;
    const within = indentOf(line) > mark.indent;
    if (!within && (next > end || fence !== undefined || itemOf(line) !== undefined || !goesOn(source, next))) break;
    // As far in as its sibling, a little askew: it is one.
    if (within && indentOf(line) === mark.indent + 1 && itemOf(line) !== undefined && mark.content > mark.indent + 1)
      break;
    loose ||= next > end && fence === undefined;
    for (; end < next; end++) inside.push("");
    const text = outdent(line, mark.content);
    if (fence === undefined) fence = fenceOf(text)?.marks;
    else if (closes(text, fence)) fence = undefined;
    inside.push(text);
    end = next + 1;
  }
  return { lines: inside, to: end, loose };
}

function item(source: Lines, inside: readonly string[], end: number): ListItem {
  const [, box, text] = /^\[([ xX])\] +(\S.*)$/.exec(inside[0]!) ?? [];
  const lines = text === undefined ? inside : [text, ...inside.slice(1)];
  const blocks = source.blocks({ ...source, lines, depth: source.depth + 1, tail: isLast(source, end) });
  return { checked: box === undefined ? undefined : box !== " ", blocks };
}

function afterBlank(lines: readonly string[], at: number): number {
  let next = at;
  while (next < lines.length && lines[next]!.trim() === "") next++;
  return next;
}
