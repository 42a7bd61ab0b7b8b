/** Reads the output of a process at the reader's pace. */
import type { Readable } from "node:stream";

/** A dead process leaves far less in its pipe. More than this comes from another process that inherited the pipe. */
const mostAfterExit = 8 * 1024 * 1024;

/** Read ahead, so that the process does not wait for the reader at every chunk. */
const mostAhead = 512 * 1024;

/**
 * While the process lives, not pulling pauses it. After its exit the rest is read at once, which frees the pipe. The output also ends after
 * `drainMs` of silence, because a descendant that inherited the pipe could keep it open for ever.
 */
export function readChunks(
  stream: Readable,
  exited: Promise<unknown>,
  drainMs: number,
): AsyncGenerator<Buffer, void, undefined> {
  const waiting: Buffer[] = [];
  let ended = false;
  let gone = false;
  let dropping = false;
  let afterExit = 0;
  let ahead = 0;
  let timer: NodeJS.Timeout | undefined;
  let wake = (): void => {};

  const finish = (): void => {
    ended = true;
    clearTimeout(timer);
    stream.destroy();
    wake();
  };
  const drain = (): void => {
    const before = afterExit;
    clearTimeout(timer);
    // After a busy loop, timers fire before data that has already arrived, so look once more.
    timer = setTimeout(() => setImmediate(() => afterExit === before && finish()), drainMs);
  };
  // Listen from the start, not from the first pull: Node drops output without a listener when a child exits.
  stream.on("data", (chunk: Buffer) => {
    if (!dropping) {
      waiting.push(chunk);
      ahead += chunk.length;
    }
    if (gone) {
      afterExit += chunk.length;
      if (afterExit > mostAfterExit) finish();
      else drain();
    } else if (!dropping && ahead >= mostAhead) stream.pause();
    wake();
  });
  stream.on("end", finish);
  stream.on("close", finish);
  stream.on("error", finish);
  void exited.then(() => {
    gone = true;
    if (ended) return;
    stream.resume();
    drain();
  });

  async function* pull(): AsyncGenerator<Buffer, void, undefined> {
    try {
      for (;;) {
        const chunk = waiting.shift();
        if (chunk) {
          ahead -= chunk.length;
          if (ahead < mostAhead / 2 && stream.isPaused()) stream.resume();
          yield chunk;
        } else if (ended) return;
        else {
          const more = new Promise<void>((resolve) => (wake = resolve));
          stream.resume();
          await more;
        }
      }
    } finally {
      // A reader that leaves early must not block the child.
      dropping = true;
      stream.resume();
    }
  }
  return pull();
}
