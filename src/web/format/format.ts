/** Formats amounts and times. */
import { useEffect, useState } from "react";

export function tokens(amount: number): string {
  if (amount < 1_000) return String(amount);
  if (amount < 999_500) return `${(amount / 1_000).toFixed(amount < 9_950 ? 1 : 0)}k`;
  return `${(amount / 1_000_000).toFixed(1)}M`;
}

export function dollars(amount: number): string {
  if (amount === 0) return "$0";
  return `$${amount.toFixed(amount < 0.1 ? 4 : 2)}`;
}

/** Time left: `2:05`, or `1 h 10 min`. */
export function timeLeft(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  if (seconds >= 3_600) return `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`;
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

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

/** `in 5 min`, `in 3 h 10 min`, `in 2 d 4 h`; undefined for a time in the past. */
export function until(time: number, now: number): string | undefined {
  const left = time - now;
  if (Number.isNaN(left) || left <= 0) return undefined;
  if (left < hour) return `in ${Math.max(1, Math.round(left / minute))} min`;
  if (left < day) return `in ${Math.floor(left / hour)} h ${Math.floor((left % hour) / minute)} min`;
  return `in ${Math.floor(left / day)} d ${Math.floor((left % day) / hour)} h`;
}

/** Date and time in the person's locale. */
export function moment(time: string | number): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime())
    ? ""
    : date.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}

/** Calendar days between then and now. */
export function daysAgo(time: string, now: number): number {
  const [then, today] = [new Date(time), new Date(now)];
  return Math.round((today.setHours(0, 0, 0, 0) - then.setHours(0, 0, 0, 0)) / day);
}

function yearOf(time: string, now: number): { year?: "numeric" } {
  return new Date(time).getFullYear() === new Date(now).getFullYear() ? {} : { year: "numeric" };
}

/** The current time, updated at an interval. */
export function useNow(everyMs = 30_000): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
