/**
 * node-pty destroys the stream of a terminal 200 ms after its program has ended, even if output is unread because the machine was busy or
 * the reader had paused. This module reads the stream to its end first.
 */
import type { ReadStream } from "node:tty";

/** More than the terminal buffer of any system. Only a program that outlives the main program can write more than this. */
const mostUnreadBytes = 1024 * 1024;

/** Changes a terminal that was just spawned, and returns it. A terminal without such a stream, as on Windows, is left unchanged. */
export function keepLastOutput<Spawned extends object>(spawned: Spawned): Spawned {
  const { _socket: stream } = spawned as { readonly _socket?: ReadStream };
  if (typeof stream?.destroy !== "function") return spawned;
  const destroy = stream.destroy.bind(stream);
  let reads = false;
  stream.destroy = (error) => {
    // After an error (EIO: no process has the terminal open any more) or the end of the stream, there is nothing left to read.
    if (error !== undefined || stream.readableEnded || stream.destroyed) return destroy(error);
    if (reads) return stream;
    reads = true;
    void readRest(stream).then(() => destroy());
    return stream;
  };
  return spawned;
}

/** Resolves when the system has no more output to read, or the stream has ended. */
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
    // Resume a paused reader: the rest is small, and later it would be lost.
    stream.resume();
    // An immediate runs after the event loop has polled, so all output that the system had is emitted by then.
    await new Promise((resolve) => setImmediate(resolve));
  }
  stream.off("data", take);
}
