/** Times as people say them. */
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** `now`, `5 min`, `3 h`, `2 d`, then the date. */
export function ago(time: string, now: number): string {
  const passed = now - Date.parse(time);
  if (Number.isNaN(passed)) return "";
  if (passed < minute) return "now";
  if (passed < hour) return `${Math.floor(passed / minute)} min`;
  if (passed < day) return `${Math.floor(passed / hour)} h`;
  if (passed < 7 * day) return `${Math.floor(passed / day)} d`;
  return new Date(time).toLocaleDateString(undefined, { day: "numeric", month: "short", ...yearOf(time, now) });
}

/** `in 5 min`, `in 3 h 10 min`, `in 2 d 4 h`; undefined for what is over. */
export function until(time: number, now: number): string | undefined {
  const left = time - now;
  if (Number.isNaN(left) || left <= 0) return undefined;
  if (left < hour) return `in ${Math.max(1, Math.round(left / minute))} min`;
  if (left < day) return `in ${Math.floor(left / hour)} h ${Math.floor((left % hour) / minute)} min`;
  return `in ${Math.floor(left / day)} d ${Math.floor((left % day) / hour)} h`;
}

/** The day and the time, in the words of the person's own language. */
export function moment(time: string | number): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime())
    ? ""
    : date.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}

/** Whole days between then and now, as the calendar counts them. */
export function daysAgo(time: string, now: number): number {
  const [then, today] = [new Date(time), new Date(now)];
  return Math.round((today.setHours(0, 0, 0, 0) - then.setHours(0, 0, 0, 0)) / day);
}

function yearOf(time: string, now: number): { year?: "numeric" } {
  return new Date(time).getFullYear() === new Date(now).getFullYear() ? {} : { year: "numeric" };
}
