/** Time in which this process could have seen what it waits for: while it loads modules, no answer reaches it, and a plain timer would come first. */

const tickMs = 50;

/** Aborts after so many milliseconds of that. Keeps no process alive. */
export function afterOwnTime(ms: number): AbortSignal {
  const controller = new AbortController();
  let left = Math.ceil(ms / tickMs);
  // However long it was held up, a tick is counted once, and what has come meanwhile is read before the next.
  const timer = setInterval(() => {
    if (--left > 0) return;
    clearInterval(timer);
    controller.abort();
  }, tickMs).unref();
  return controller.signal;
}
