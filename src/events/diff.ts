/** The unified diff of one file. Pure; exact for everyday edits, and one large hunk where the two texts have little in common. */

type Edit = { readonly op: " " | "-" | "+"; readonly line: string };

/** Above this many differing lines the search would cost more than the diff is worth to a reader. */
const maxDifferences = 500;
const contextLines = 3;

/** `undefined` means that there is no such file, before or after. Empty when nothing changed. */
export function unifiedDiff(path: string, before: string | undefined, after: string | undefined): string {
  if (before === after) return "";
  const edits = compare(splitLines(before ?? ""), splitLines(after ?? ""));
  const hunks = makeHunks(edits);
  const from = before === undefined ? "/dev/null" : `a/${path}`;
  const to = after === undefined ? "/dev/null" : `b/${path}`;
  return `--- ${from}\n+++ ${to}\n${hunks.join("")}`;
}

/** How many lines a unified diff adds and removes. */
export function diffStats(diff: string): { added: number; removed: number } {
  let added = 0;
  let removed = 0;
  // Lines of the hunk that are still to come: a removed line may itself look like a header.
  let old = 0;
  let now = 0;
  for (const line of diff.split("\n")) {
    const hunk = old > 0 || now > 0 ? undefined : /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
    if (hunk) {
      old = Number(hunk[1] ?? 1);
      now = Number(hunk[2] ?? 1);
      continue;
    }
    if ((old <= 0 && now <= 0) || line.startsWith("\\")) continue;
    if (line.startsWith("+")) added++;
    else old--;
    if (line.startsWith("-")) removed++;
    else now--;
  }
  return { added, removed };
}

/** Lines with their ends, so that a missing last newline is a difference too. */
function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function compare(before: readonly string[], after: readonly string[]): Edit[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const keep = (line: string): Edit => ({ op: " ", line });
  return [
    ...before.slice(0, start).map(keep),
    ...shortest(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(keep),
  ];
}

/** Myers' greedy search for the shortest edit, keeping the frontier of every round to walk back along. */
function shortest(before: readonly string[], after: readonly string[]): Edit[] {
  const rounds: Map<number, number>[] = [];
  const frontier = new Map<number, number>([[1, 0]]);
  for (let distance = 0; distance <= Math.min(maxDifferences, before.length + after.length); distance++) {
    rounds.push(new Map(frontier));
    for (let diagonal = -distance; diagonal <= distance; diagonal += 2) {
      let x = goesDown(frontier, diagonal, distance)
        ? reach(frontier, diagonal + 1)
        : reach(frontier, diagonal - 1) + 1;
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x++;
      frontier.set(diagonal, x);
      if (x >= before.length && x - diagonal >= after.length) return walkBack(rounds, before, after);
    }
  }
  return [...before.map((line): Edit => ({ op: "-", line })), ...after.map((line): Edit => ({ op: "+", line }))];
}

function reach(frontier: ReadonlyMap<number, number>, diagonal: number): number {
  return frontier.get(diagonal) ?? -1;
}

function goesDown(frontier: ReadonlyMap<number, number>, diagonal: number, distance: number): boolean {
  if (diagonal === -distance) return true;
  return diagonal !== distance && reach(frontier, diagonal - 1) < reach(frontier, diagonal + 1);
}

function walkBack(rounds: readonly Map<number, number>[], before: readonly string[], after: readonly string[]): Edit[] {
  const edits: Edit[] = [];
  let x = before.length;
  let y = after.length;
  for (let distance = rounds.length - 1; distance >= 0; distance--) {
    const frontier = rounds[distance] as Map<number, number>;
    const diagonal = x - y;
    const from = goesDown(frontier, diagonal, distance) ? diagonal + 1 : diagonal - 1;
    const fromX = distance === 0 ? 0 : reach(frontier, from);
    const fromY = distance === 0 ? 0 : fromX - from;
    for (; x > fromX && y > fromY; x--, y--) edits.push({ op: " ", line: before[x - 1] as string });
    if (distance === 0) break;
    if (x > fromX) edits.push({ op: "-", line: before[--x] as string });
    else edits.push({ op: "+", line: after[--y] as string });
  }
  return edits.reverse();
}

function makeHunks(edits: readonly Edit[]): string[] {
  const hunks: string[] = [];
  let index = 0;
  let [old, now] = [1, 1];
  const skip = (until: number): void => {
    for (; index < until; index++) {
      if (edits[index]?.op !== "+") old++;
      if (edits[index]?.op !== "-") now++;
    }
  };
  for (let change = nextChange(edits, 0); change >= 0; change = nextChange(edits, index)) {
    skip(Math.max(index, change - contextLines));
    let last = change;
    for (let next = change; next >= 0 && next - last <= 2 * contextLines; next = nextChange(edits, next + 1))
      last = next;
    const part = edits.slice(index, last + 1 + contextLines);
    hunks.push(header(old, now, part) + part.map(show).join(""));
    skip(index + part.length);
  }
  return hunks;
}

function nextChange(edits: readonly Edit[], from: number): number {
  for (let index = from; index < edits.length; index++) if (edits[index]?.op !== " ") return index;
  return -1;
}

function header(old: number, now: number, part: readonly Edit[]): string {
  const range = (start: number, without: "+" | "-"): string => {
    const count = part.filter((edit) => edit.op !== without).length;
    return `${count === 0 ? start - 1 : start},${count}`;
  };
  return `@@ -${range(old, "+")} +${range(now, "-")} @@\n`;
}

function show({ op, line }: Edit): string {
  return line.endsWith("\n") ? op + line : `${op}${line}\n\\ No newline at end of file\n`;
}
