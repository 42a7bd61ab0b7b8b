/** The output of a process, chunk by chunk, at the reader's pace. */
import type { Readable } from "node:stream";

/** What a dead process can have left in its pipe is far less; more comes from somebody who inherited it. */
const mostAfterExit = 8 * 1024 * 1024;

/** Read ahead while the reader is at work, so that the process need not wait for it at every chunk. */
const mostAhead = 512 * 1024;

/**
 * While the process lives, not pulling pauses it. Once it exited, what it left is taken in at once, so that the pipe is freed
 * whether or not somebody reads; and the end is also reached when nothing came for `drainMs`: a descendant that still holds
 * the pipe would keep it open for ever.
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
    // After a loop that was busy for long, timers come before data that is there already: look once more.
    timer = setTimeout(() => setImmediate(() => afterExit === before && finish()), drainMs);
  };
  // Listening from the start, not from the first pull: when a child exits, Node lets go of output nobody listens to.
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
      // A reader that leaves early must not block the child, which may still have to finish politely.
      dropping = true;
      stream.resume();
    }
  }
  return pull();
}
