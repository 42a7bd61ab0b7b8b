/** Code within a line. All runs of backticks are found first, so that none is looked for twice. */

/** Where runs of backticks begin, by their length, the last first: what is behind us is taken off the end. */
export type Ticks = Map<number, number[]>;

export function backticks(text: string): Ticks {
  const ticks: Ticks = new Map();
  for (let at = text.indexOf("`"); at !== -1;) {
    const end = runEnd(text, at);
    const places = ticks.get(end - at);
    if (places === undefined) ticks.set(end - at, [at]);
    else places.push(at);
    at = text.indexOf("`", end);
  }
  for (const places of ticks.values()) places.reverse();
  return ticks;
}

/** The code that begins here, and where the text goes on; undefined where it never ends. */
export function codeAt(
  text: string,
  at: number,
  ticks: Ticks,
  tail: boolean,
): { code: string; end: number } | undefined {
  const begin = runEnd(text, at);
  const places = ticks.get(begin - at) ?? [];
  while (places.length > 0 && places.at(-1)! < begin) places.pop();
  const close = places.at(-1) ?? (tail ? text.length : undefined);
  if (close === undefined) return undefined;
  const inside = text.slice(begin, close).replaceAll("\n", " ");
  const padded = inside.startsWith(" ") && inside.endsWith(" ") && inside.trim() !== "";
  return { code: padded ? inside.slice(1, -1) : inside, end: Math.min(text.length, close + begin - at) };
}

/** Where a run of one letter ends. */
export function runEnd(text: string, at: number): number {
  let end = at + 1;
  while (text[end] === text[at]) end++;
  return end;
}
