/**
 * Fuzzy search: the letters of the query occur in this order. Starts of words and path segments, runs, file names and short texts rank
 * higher.
 */

/** A text prepared for many searches. */
export interface Candidate {
  readonly text: string;
  readonly lower: string;
  /** Bits for the letters and digits that occur. A query with a bit that is not set cannot match. */
  readonly mask: number;
  /** Start of the file name, after the last slash. */
  readonly name: number;
}

export interface Match {
  readonly text: string;
  readonly score: number;
  /** Offsets of the matched letters, for highlighting. */
  readonly positions: readonly number[];
}

/** Each letter has a bit; the digits share five bits, everything else one. */
export function maskOf(lower: string): number {
  let mask = 0;
  for (let at = 0; at < lower.length; at++) mask |= bitOf(lower.charCodeAt(at));
  return mask;
}

function bitOf(code: number): number {
  if (code >= 97 && code <= 122) return 1 << (code - 97);
  if (code >= 48 && code <= 57) return 1 << (26 + ((code - 48) >> 1));
  return 1 << 31;
}

export function candidate(text: string): Candidate {
  const folded = text.toLowerCase();
  // Some letters, such as İ, change their length in lower case: positions would be wrong.
  const lower = folded.length === text.length ? folded : text;
  const end = text.endsWith("/") ? text.length - 2 : text.length - 1;
  return { text, lower, mask: maskOf(lower), name: text.lastIndexOf("/", end) + 1 };
}

/** A query prepared for many candidates, without blanks. */
export interface Query {
  readonly text: string;
  readonly mask: number;
  /** True when the query has capitals: the search is then case-sensitive. */
  readonly exact: boolean;
}

export function query(pattern: string): Query {
  const text = pattern.replace(/\s+/g, "");
  const lower = text.toLowerCase();
  return { text, mask: maskOf(lower), exact: lower !== text };
}

/** Returns whether the text contains the query as it is. */
export function contains(item: Candidate, { text, mask, exact }: Query): boolean {
  return (item.mask & mask) === mask && (exact ? item.text : item.lower).includes(text);
}

const slash = 47;
/** Points of a matched letter by its place, and the cost of each skipped letter. */
const points = {
  letter: 16,
  run: 14,
  segmentStart: 14,
  wordStart: 10,
  inName: 6,
  firstOfName: 12,
  gap: 1,
  maxGap: 12,
  wholeName: 20,
};

function isUpper(code: number): boolean {
  return code >= 65 && code <= 90;
}

function isLower(code: number): boolean {
  return code >= 97 && code <= 122;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Points for the place of a letter, independent of earlier matches. */
function placePoints({ text, name }: Candidate, at: number): number {
  const base = points.letter + (at >= name ? points.inName : 0);
  if (at === name) return base + points.segmentStart + points.firstOfName;
  const before = text.charCodeAt(at - 1);
  if (at === 0 || before === slash) return base + points.segmentStart;
  const code = text.charCodeAt(at);
  const separated = !isLower(before) && !isUpper(before) && !isDigit(before) && before < 128;
  const camel = isUpper(code) && isLower(before);
  return separated || camel ? base + points.wordStart : base;
}

/** A longer query matches nothing. */
const maxQuery = 128;
/** Scratch space: rating 100,000 paths for one key must not allocate. */
const scratch = { best: new Int32Array(maxQuery), tried: new Int32Array(maxQuery), latest: new Int32Array(maxQuery) };

/** Undefined when there is no match. */
export function score(item: Candidate, wanted: Query): Match | undefined {
  const value = rate(item, wanted);
  return value === undefined ? undefined : lastRated(item, wanted, value);
}

/** The match that `rate` has just found. */
function lastRated({ text }: Candidate, { text: wanted }: Query, value: number): Match {
  return { text, score: value, positions: Array.from(scratch.best.subarray(0, wanted.length)) };
}

/**
 * The score, or -Infinity when it is certainly below `least`. A query contained in the name is matched there; otherwise a few ways to
 * match are compared, which is nearly as good as trying all.
 */
function rate(item: Candidate, { text: wanted, mask, exact }: Query, least = -Infinity): number | undefined {
  if ((item.mask & mask) !== mask || wanted.length > maxQuery) return undefined;
  const searched = exact ? item.text : item.lower;
  const penalty = item.text.length / 8;
  if (wanted === "") return -penalty;
  const inName = wanted.includes("/") ? -1 : partOf(item, searched, wanted, item.name);
  const part = inName === -1 && wanted.length > 1 ? partOf(item, searched, wanted, 0) : inName;
  const settles = part !== -1 && (inName !== -1 || isWordStart(item, part));
  if (settles) return runAt(item, wanted.length, part, -Infinity) - penalty;
  if (!latestPlaces(searched, wanted)) return undefined;
  if (part === -1 && mostWithoutRun(wanted.length) - penalty < least) return -Infinity;
  keepBest(scratch.latest, wanted.length);
  let value = valueOf(item, scratch.best, wanted.length);
  wordStarts(item, searched, wanted);
  const other = valueOf(item, scratch.tried, wanted.length);
  if (other > value) {
    keepBest(scratch.tried, wanted.length);
    value = other;
  }
  return (part === -1 ? value : runAt(item, wanted.length, part, value)) - penalty;
}

/** Upper bound for a match in several pieces: the best place for each letter. A single letter is then outside the name. */
function mostWithoutRun(length: number): number {
  if (length === 1) return points.letter + points.segmentStart;
  const { letter, inName, segmentStart, firstOfName, run, wordStart } = points;
  return length * (letter + inName + segmentStart) + firstOfName + (length - 2) * Math.max(run, wordStart);
}

function isWordStart(item: Candidate, at: number): boolean {
  return placePoints(item, at) >= points.letter + points.wordStart;
}

/** The offset at which the text contains the query; at the start of a word, if one of the first occurrences is. */
function partOf(item: Candidate, searched: string, wanted: string, from: number): number {
  const first = searched.indexOf(wanted, from);
  let at = first;
  for (let tries = 0; at !== -1 && tries < 4; tries++) {
    if (isWordStart(item, at)) return at;
    at = searched.indexOf(wanted, at + 1);
  }
  return first;
}

/** The score of a run, or `least` if that is better. */
function runAt(item: Candidate, length: number, from: number, least: number): number {
  const { tried } = scratch;
  for (let index = 0; index < length; index++) tried[index] = from + index;
  const value = valueOf(item, tried, length);
  if (value <= least) return least;
  keepBest(tried, length);
  return value;
}

function keepBest(positions: Int32Array, length: number): void {
  for (let index = 0; index < length; index++) scratch.best[index] = positions[index] as number;
}

function valueOf(item: Candidate, positions: Int32Array, length: number): number {
  let value = 0;
  let previous = -2;
  for (let index = 0; index < length; index++) {
    const at = positions[index] as number;
    value += placePoints(item, at);
    if (at === previous + 1) value += points.run;
    else if (previous >= 0) value -= Math.min(points.maxGap, (at - previous - 1) * points.gap);
    previous = at;
  }
  // The whole name, or the name without its extension.
  const first = positions[0] as number;
  if (first !== item.name || previous - first !== length - 1) return value;
  const ends = previous === item.text.length - 1 || item.text.charCodeAt(previous + 1) === 46;
  return ends ? value + points.wholeName : value;
}

/** Places each letter as late as possible. Returns false when there is no match. */
function latestPlaces(text: string, wanted: string): boolean {
  let at = text.length - 1;
  for (let index = wanted.length - 1; index >= 0; index--, at--) {
    const code = wanted.charCodeAt(index);
    while (at >= 0 && text.charCodeAt(at) !== code) at--;
    if (at < 0) return false;
    scratch.latest[index] = at;
  }
  return true;
}

/** Prefers the start of a word for each letter that does not continue a run, if the rest still matches after it. */
function wordStarts(item: Candidate, text: string, wanted: string): void {
  let from = 0;
  for (let index = 0; index < wanted.length; index++) {
    const code = wanted.charCodeAt(index);
    const limit = scratch.latest[index] as number;
    let found = -1;
    for (let at = from; at <= limit; at++) {
      if (text.charCodeAt(at) !== code) continue;
      if (found === -1) found = at;
      const continues = index > 0 && at === from;
      if (!continues && !isWordStart(item, at)) continue;
      found = at;
      break;
    }
    scratch.tried[index] = found;
    from = found + 1;
  }
}

/** Better first; ties by length, then by text, so that the order is stable. */
export function compareMatches(a: Match, b: Match): number {
  return b.score - a.score || a.text.length - b.text.length || (a.text < b.text ? -1 : 1);
}

/** Keeps the best matches, best first. */
export class BestMatches {
  readonly #limit: number;
  #kept: Match[] = [];
  #worst = -Infinity;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Returns whether the candidate matches at all. */
  add(item: Candidate, wanted: Query): boolean {
    const value = rate(item, wanted, this.#worst);
    if (value === undefined) return false;
    if (value < this.#worst) return true;
    this.#kept.push(lastRated(item, wanted, value));
    if (this.#kept.length >= this.#limit * 4) this.#trim();
    return true;
  }

  get list(): readonly Match[] {
    this.#trim();
    return this.#kept;
  }

  #trim(): void {
    this.#kept = this.#kept.sort(compareMatches).slice(0, this.#limit);
    if (this.#kept.length === this.#limit) this.#worst = this.#kept.at(-1)?.score ?? -Infinity;
  }
}

/** The best matches of a short list, such as commands or models. An empty query returns the list unchanged. */
export function fuzzyTop(texts: readonly string[], pattern: string, limit: number): readonly Match[] {
  const wanted = query(pattern);
  if (wanted.text === "") return texts.slice(0, limit).map((text) => ({ text, score: 0, positions: [] }));
  const best = new BestMatches(limit);
  for (const text of texts) best.add(candidate(text), wanted);
  return best.list;
}
