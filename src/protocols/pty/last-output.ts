/**
 * node-pty destroys the stream of a terminal 200 ms after its program has ended, also while output is unread: because the machine was busy, or
 * because the reader had paused. Here the stream is read to its end first.
 */
import type { ReadStream } from "node:tty";

/** More than a terminal of any system holds. Only a program that survived the first one writes on after that. */
const mostUnreadBytes = 1024 * 1024;

/** Changes a terminal that was just spawned, and returns it. A terminal without such a stream, as on Windows, stays as it is. */
export function keepLastOutput<Spawned extends object>(spawned: Spawned): Spawned {
  const { _socket: stream } = spawned as { readonly _socket?: ReadStream };
  if (typeof stream?.destroy !== "function") return spawned;
  const destroy = stream.destroy.bind(stream);
  let reads = false;
  stream.destroy = (error) => {
    // With an error (EIO: nobody has the terminal open any more) or after the end there is nothing left to read.
    if (error !== undefined || stream.readableEnded || stream.destroyed) return destroy(error);
    if (reads) return stream;
    reads = true;
    void readRest(stream).then(() => destroy());
    return stream;
  };
  return spawned;
}

/** Resolves when the system has nothing more to read, or the stream has ended. */
async function readRest(stream: ReadStream): Promise<void> {
  let unread = mostUnreadBytes;
  let came = true;
  const take = (bytes: Buffer | string): void => {
    came = true;
    unread -= bytes.length;
  };
  stream.on("data", take);
  while (came && unread > 0 && !stream.destroyed) {
    came = false;
    // A reader that paused gets what is left all the same: it is little, and later it would be gone.
    stream.resume();
    // An immediate runs after the event loop has polled: what the system had to read has then been emitted.
    await new Promise((resolve) => setImmediate(resolve));
  }
  stream.off("data", take);
}
