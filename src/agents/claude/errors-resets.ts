/** "You've hit your 5-hour limit · resets 8:01pm (UTC)": when that is, as well as words can tell. */

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const day = 86_400_000;

export function resetsInText(said: string, now: number): string | undefined {
  const stamp = /limit reached\|(\d{10})\b/.exec(said)?.[1];
  if (stamp !== undefined) return new Date(Number(stamp) * 1000).toISOString();
  const found =
    /resets\s+(?:([a-z]{3})[a-z]*\s+(\d{1,2}),?\s+(?:at\s+)?)?(\d{1,2})(?::(\d{2}))?\s*(am|pm)\s*\(([^)]+)\)/i.exec(
      said,
    );
  if (found === null) return undefined;
  const [, month, date, hour = "", minute = "0", half = "", zone = ""] = found;
  const offset = zoneOffset(zone, now);
  if (offset === undefined) return undefined;
  const there = new Date(now + offset);
  const hours = (Number(hour) % 12) + (half.toLowerCase() === "pm" ? 12 : 0);
  const monthIndex = month === undefined ? there.getUTCMonth() : months.indexOf(month.toLowerCase());
  if (monthIndex < 0) return undefined;
  const dated =
    Date.UTC(there.getUTCFullYear(), monthIndex, Number(date ?? there.getUTCDate()), hours, Number(minute)) - offset;
  // A time of day that is over means tomorrow; a date that is long over means next year.
  if (dated > now || (month !== undefined && now - dated < day)) return new Date(dated).toISOString();
  if (month === undefined) return new Date(dated + day).toISOString();
  return new Date(
    Date.UTC(there.getUTCFullYear() + 1, monthIndex, Number(date), hours, Number(minute)) - offset,
  ).toISOString();
}

/** Milliseconds a zone is ahead of UTC. */
function zoneOffset(zone: string, now: number): number | undefined {
  try {
    const shown = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" }).formatToParts(now);
    const name = shown.find((part) => part.type === "timeZoneName")?.value ?? "";
    const [, sign = "+", hours = "0", minutes = "0"] = /GMT(?:([+-])(\d{2}):(\d{2}))?/.exec(name) ?? [];
    return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  } catch {
    return undefined;
  }
}
