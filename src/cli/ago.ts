const units = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
] as const;

/** How long ago something was, for a column of a table. What seems to be still to come is now: clocks go backwards. */
export function ago(time: string, now: number = Date.now()): string {
  const ms = now - Date.parse(time);
  for (const [size, name] of units) if (ms >= size) return `${Math.floor(ms / size)} ${name} ago`;
  return "now";
}
