/** About how much memory a value holds, cheaply: enough to bound a buffer, no more. */
export function weigh(value: unknown): number {
  switch (typeof value) {
    case "string":
      return 24 + value.length;
    case "object": {
      if (value === null) return 8;
      let sum = 48;
      for (const key in value) sum += 16 + weigh((value as Record<string, unknown>)[key]);
      return sum;
    }
    default:
      return 8;
  }
}
