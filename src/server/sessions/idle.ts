/** Frees the memory of an idle server or terminal interface, which V8 would keep. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const lookMs = 5_000;
/** Growth since the last collection that is worth another one. */
const worthBytes = 4 * 1024 * 1024;

export interface IdleOptions {
  /** A counter of work; the process is idle while it does not grow. */
  readonly done: () => number;
  readonly bytes?: () => number;
  readonly collect?: () => void;
}

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

/** Only contexts created after the flag is set have `gc`. */
function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  found ??= runInNewContext("gc") as () => void;
  found();
}
