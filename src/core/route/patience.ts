/** Waiting for a limit to be over, where anybody can see it. */
import { longestMs } from "../../events/deadlines.ts";

/** Resolves with true at that time, with false as soon as nobody wants it any more. */
export function waitUntil(until: number, signal: AbortSignal, now: () => number = Date.now): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  if (signal.aborted) return Promise.resolve(false);
  const timer = setTimeout(() => resolve(true), Math.min(Math.max(until - now(), 0), longestMs));
  const gone = () => resolve(false);
  signal.addEventListener("abort", gone, { once: true });
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener("abort", gone);
  });
}

/** What is said meanwhile. */
export function waitingWords(name: string, until: number): string {
  return `${name} takes no more until ${new Date(until).toISOString()}; it is waited for and asked again then.`;
}
