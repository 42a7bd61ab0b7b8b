/** A server that rests gives back the memory that its last work took. V8 itself keeps it until it needs more. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const lookMs = 5_000;
/** Less is not worth looking for. */
const worthBytes = 4 * 1024 * 1024;

export interface IdleOptions {
  /** How much was done so far: as long as that grows, nothing is looked for. */
  readonly done: () => number;
  readonly bytes?: () => number;
  readonly collect?: () => void;
}

/** Calling what is given back ends it. */
export function collectWhenIdle({
  done,
  bytes = () => process.memoryUsage.rss(),
  collect = collectGarbage,
}: IdleOptions): () => void {
  let before = done();
  let least = 0;
  const timer = setInterval(() => {
    const now = done();
    const rests = now === before;
    before = now;
    if (!rests || bytes() < least + worthBytes) return;
    collect();
    least = bytes();
  }, lookMs).unref();
  return () => clearInterval(timer);
}

let found: (() => void) | undefined;

/** Only what is made after the flag is set has this function. */
function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  found ??= runInNewContext("gc") as () => void;
  found();
}
