/**
 * Times that lay ahead when something was recorded, such as when a limit is over: a day later they would lie behind, and mean
 * something else. A recording keeps how far ahead they were.
 */

/** Sooner than this a time ahead is about the recording itself. */
const soonMs = 60_000;
const latestMs = 400 * 86_400_000;

/** In a line of JSON: `"resetsAt":1794872416` becomes `"resetsAt":"{in 3600 s}"`. Digits in a text are left as they are. */
export function hideFutureTimes(json: string, now: number): string {
  return changed(json, (value) => {
    const digits = typeof value === "number" ? String(value) : "";
    if (!/^\d{10}(\d{3})?$/.test(digits)) return value;
    const unit = digits.length === 10 ? 1000 : 1;
    const ahead = Number(digits) * unit - now;
    if (ahead < soonMs || ahead > latestMs) return value;
    return `{in ${Math.round(ahead / unit)} ${unit === 1 ? "ms" : "s"}}`;
  });
}

export function showFutureTimes(json: string, now: number): string {
  return changed(json, (value) => {
    const [, ahead, unit] = (typeof value === "string" && /^\{in (\d+) (ms|s)\}$/.exec(value)) || [];
    return ahead === undefined ? value : Math.floor(unit === "ms" ? now : now / 1000) + Number(ahead);
  });
}

const changed = (json: string, change: (value: unknown) => unknown): string =>
  JSON.stringify(JSON.parse(json, (_key, value) => change(value)));
