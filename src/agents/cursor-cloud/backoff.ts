/** How long to wait before asking again. */

const longestMs = 30_000;

/** 1, 2, 4, ... seconds, and a part of it by chance, so that many do not come back at once. */
export function backoff(attempt: number, firstMs = 1_000, random: () => number = Math.random): number {
  const whole = Math.min(firstMs * 2 ** (attempt - 1), longestMs);
  return Math.round(whole * (0.75 + random() / 4));
}

/** What `Retry-After` says, as milliseconds from now: seconds, or a date. */
export function retryAfter(header: string | undefined, now: number): number | undefined {
  const given = header?.trim() ?? "";
  if (/^\d{1,9}$/.test(given)) return Number(given) * 1000;
  const date = Date.parse(given);
  // Only a date as HTTP writes it: a bare number that is no count of seconds means nothing.
  return Number.isNaN(date) || !/[a-z]/i.test(given) ? undefined : Math.max(0, date - now);
}
