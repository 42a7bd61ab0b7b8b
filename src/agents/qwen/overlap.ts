/**
 * Where an answer goes on after a cut, the model is asked to say only the rest, and often repeats some of what it said. The program
 * takes that out of its own history, and prints it all the same.
 */

/** Nothing shorter is taken for a repetition. */
const shortest = 6;
/** How far back a repetition is looked for. */
const farthest = 4_000;

/**
 * How much of the beginning of `after` says again how `before` ended. Undefined while that cannot be known yet, because all of
 * `after` stands somewhere in `before` and what follows there may follow here.
 */
export function overlap(before: string, after: string, isWhole: boolean): number | undefined {
  const tail = before.slice(-farthest);
  if (!isWhole && after.length < tail.length && tail.slice(0, -1).includes(after)) return undefined;
  const least = Math.min(shortest, before.length);
  for (let length = Math.min(tail.length, after.length); length >= least && length > 0; length--) {
    if (tail.endsWith(after.slice(0, length))) return length;
  }
  return 0;
}
