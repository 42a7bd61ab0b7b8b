/** Its version is a day and a build, alone on its line: `2026.10.01-e373342`. No other program that is called `agent` says one like it. */
export function cursorVersionIn(text: string): string | undefined {
  return /^\s*(\d{4}\.\d{2}\.\d{2}-[0-9A-Za-z-]+)\s*$/.exec(text)?.[1];
}
