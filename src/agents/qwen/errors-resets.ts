/** When a limit is over, where the model's service says so in words: "Please try again in 1h2m3.5s." */
const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const wait = /(?:try again|retry|retry after|wait) (?:in |after |for )?((?:\d+(?:\.\d+)?\s*(?:ms|[smhd])[a-z]*\s*)+)/i;

/** In milliseconds. */
export function waitSaid(said: string): number | undefined {
  const found = wait.exec(said)?.[1];
  if (found === undefined) return undefined;
  const parts = [...found.matchAll(/(\d+(?:\.\d+)?)\s*(ms|[smhd])/gi)];
  return parts.reduce((sum, [, amount, unit = ""]) => sum + Number(amount) * (units[unit.toLowerCase()] ?? 0), 0);
}
