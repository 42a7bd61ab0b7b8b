/** How long to wait before the n-th try to connect again, from 0: soon at first, and never all pages at once. */
export function backoff(attempt: number, random: number = Math.random()): number {
  const most = Math.min(8_000, 300 * 2 ** Math.min(attempt, 10));
  return Math.round(most * (0.6 + 0.4 * random));
}
