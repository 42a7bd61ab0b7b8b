/** Finds when a limit resets, from headers, fields and words of a service. */
import type { FailureFacts } from "../../../protocols/failure.ts";

const second = 1_000;
const minute = 60 * second;
const day = 24 * 60 * minute;

/** The longest quota resets within a month, so a later time is wrong. */
const furthest = 32 * day;

/** In milliseconds since 1970. A timestamp takes precedence over a header, and a header over words. */
export function resetTime(
  { resetsAt, retryAfter, text, body = "" }: Pick<FailureFacts, "resetsAt" | "retryAfter" | "text" | "body">,
  now: number,
): number | undefined {
  const said = `${text} ${body}`.slice(0, 4_096);
  const times = [
    resetsAt === undefined ? undefined : Date.parse(resetsAt),
    headerTime(retryAfter, now),
    epochIn(said),
    fieldIn(said, now),
    waitIn(said, now),
    clockIn(said, now),
    dateIn(said),
  ];
  return times.find((time) => time !== undefined && time > now && time - now <= furthest);
}

/** Reads `Retry-After` in seconds or as a date, and `x-ratelimit-reset-*` as a duration. */
function headerTime(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const given = header.trim();
  if (/^\d+(?:\.\d+)?$/.test(given)) return now + Number(given) * second;
  const wait = durationOf(given);
  if (wait !== undefined) return now + wait;
  const date = Date.parse(given);
  return Number.isNaN(date) ? undefined : date;
}

/** Reads `usage limit reached|1794772878`. */
function epochIn(said: string): number | undefined {
  const stamp = /\|(\d{10})\b/.exec(said)?.[1];
  return stamp === undefined ? undefined : Number(stamp) * second;
}

/** Reads `"resets_in_seconds": 600`, `"retryDelay": "2s"`, `"resets_at": 1794772878`. */
function fieldIn(said: string, now: number): number | undefined {
  const at = /"resets?_?at"\s*:\s*"?(\d{10})\b/i.exec(said)?.[1];
  if (at !== undefined) return Number(at) * second;
  const seconds = /"(?:resets_in_seconds|retry_?after|retryDelay)"\s*:\s*"?(\d+(?:\.\d+)?)s?"?/i.exec(said)?.[1];
  return seconds === undefined ? undefined : now + Number(seconds) * second;
}

const units: Readonly<Record<string, number>> = { ms: 1, s: second, m: minute, h: 60 * minute, d: day };
const amounts = String.raw`(?:\d+(?:\.\d+)?\s*(?:ms|[smhd])[a-z]*\s*)+`;
const wait = new RegExp(
  String.raw`(?:try again|retry|retrying|retry after|wait|resets?|available again) (?:in |after |for )?(${amounts})`,
  "i",
);

/** Reads "Please try again in 1h2m3.5s", "retry after 2 minutes", "resets in 5 days". */
function waitIn(said: string, now: number): number | undefined {
  const found = wait.exec(said)?.[1];
  const ms = found === undefined ? undefined : durationOf(found);
  return ms === undefined ? undefined : now + ms;
}

function durationOf(text: string): number | undefined {
  if (!new RegExp(`^${amounts}$`, "i").test(text.trim())) return undefined;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)\s*(ms|[smhd])/gi)];
  return parts.reduce((sum, [, amount, unit = ""]) => sum + Number(amount) * (units[unit.toLowerCase()] ?? 0), 0);
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** Reads "resets 8:01pm (UTC)", "resets Nov 20, 8pm (Europe/Berlin)". */
function clockIn(said: string, now: number): number | undefined {
  const found =
    /resets\s+(?:([a-z]{3})[a-z]*\s+(\d{1,2}),?\s+(?:at\s+)?)?(\d{1,2})(?::(\d{2}))?\s*(am|pm)\s*\(([^)]+)\)/i.exec(
      said,
    );
  if (found === null) return undefined;
  const [, month, date, hour = "", minutes = "0", half = "", zone = ""] = found;
  const offset = zoneOffset(zone, now);
  if (offset === undefined) return undefined;
  const there = new Date(now + offset);
  const hours = (Number(hour) % 12) + (half.toLowerCase() === "pm" ? 12 : 0);
  const monthIndex = month === undefined ? there.getUTCMonth() : months.indexOf(month.toLowerCase());
  if (monthIndex < 0) return undefined;
  const at = (year: number) =>
    Date.UTC(year, monthIndex, Number(date ?? there.getUTCDate()), hours, Number(minutes)) - offset;
  const dated = at(there.getUTCFullYear());
  // A time of day in the past means tomorrow; a date long in the past means next year.
  if (dated > now || (month !== undefined && now - dated < day)) return dated;
  return month === undefined ? dated + day : at(there.getUTCFullYear() + 1);
}

/** In milliseconds. */
function zoneOffset(zone: string, now: number): number | undefined {
  try {
    const shown = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" }).formatToParts(now);
    const name = shown.find((part) => part.type === "timeZoneName")?.value ?? "";
    const [, sign = "+", hours = "0", minutes = "0"] = /GMT(?:([+-])(\d{2}):(\d{2}))?/.exec(name) ?? [];
    return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * minute;
  } catch {
    return undefined;
  }
}

/** Reads "until 2026-11-20T08:00:00Z", and "your cycle ends on 10/2/2026" with the month first. */
function dateIn(said: string): number | undefined {
  const iso = /\b(?:until|at|on|after) (\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:?\d{2})?)?)/i.exec(said)?.[1];
  const [, month, date, year] = /\bon (\d{1,2})\/(\d{1,2})\/(\d{4})\b/.exec(said) ?? [];
  const time = iso === undefined ? Date.UTC(Number(year), Number(month) - 1, Number(date)) : Date.parse(iso);
  return Number.isNaN(time) ? undefined : time;
}
