import { ReinsError } from "../events/errors.ts";
import { type Exit, exitCodes } from "./exit-codes.ts";

const signals: Readonly<Record<string, Exit>> = { SIGINT: "cancelled", SIGTERM: "terminated", SIGHUP: "hangup" };

/**
 * Aborts when the command should stop early: on a signal, or when the reader of stdout went away. A second signal ends the process at
 * once; the guardian then ends the rest.
 */
export function watchEnding(): AbortSignal {
  const controller = new AbortController();
  const end = (exit: Exit): void => {
    if (controller.signal.aborted) process.exit(exitCodes[exit].code);
    controller.abort(exit);
  };
  for (const [signal, exit] of Object.entries(signals)) process.on(signal, () => end(exit));
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    const exit: Exit = error.code === "EPIPE" ? "readerLeft" : "failed";
    if (exit === "failed") process.stderr.write(`reins: The output could not be written (${error.code}).\n`);
    controller.abort(exit);
    process.exitCode = exitCodes[exit].code;
  });
  // A closed terminal takes stderr away too.
  process.stderr.on("error", () => undefined);
  return controller.signal;
}

/** Calls `handle` on Ctrl+C first; the command ends only if it returns false. Returns a function that undoes this. */
export function handleInterrupts(handle: () => boolean): () => void {
  const before = process.listeners("SIGINT");
  const listener: NodeJS.SignalsListener = (...signal) => {
    if (!handle()) for (const one of before) one(...signal);
  };
  process.removeAllListeners("SIGINT").on("SIGINT", listener);
  return () => {
    process.off("SIGINT", listener);
    for (const one of before) process.on("SIGINT", one);
  };
}

/** A signal decides how the command ends, whatever happened afterwards. */
export function exitOf(ending: AbortSignal, otherwise: Exit | number): Exit | number {
  return ending.aborted ? (ending.reason as Exit) : otherwise;
}

/** Waits for a promise, but not longer than the command lives. */
export async function untilEnding<Value>(ending: AbortSignal, promise: Promise<Value>): Promise<Value> {
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(new ReinsError("cancelled", "The command was ended."));
    if (ending.aborted) stop();
    ending.addEventListener("abort", stop);
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    if (stop !== undefined) ending.removeEventListener("abort", stop);
    aborted.catch(() => undefined);
    promise.catch(() => undefined);
  }
}

/** Iterates, but not longer than the command lives. */
export async function* iterateUntil<Value>(ending: AbortSignal, values: AsyncIterable<Value>): AsyncGenerator<Value> {
  const iterator = values[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await untilEnding(ending, iterator.next());
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    // A generator's `return` waits for its pending value; an ended command does not.
    const returned = iterator.return?.();
    if (ending.aborted) returned?.catch(() => undefined);
    else await returned;
  }
}
