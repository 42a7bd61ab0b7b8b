/** Finds 2.1.325 in "2.1.325 (Claude Code)". */
export function versionIn(text: string): string | undefined {
  return /\d+\.\d+\.\d+/.exec(text)?.[0];
}

export function isAtLeast(version: string, minimal: string): boolean {
  const given = numbers(version);
  for (const [index, part] of numbers(minimal).entries()) {
    const difference = (given[index] ?? 0) - part;
    if (difference !== 0) return difference > 0;
  }
  return true;
}

function numbers(version: string): number[] {
  return version.split(".").map((part) => Number.parseInt(part, 10) || 0);
}
