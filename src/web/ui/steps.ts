/** Which one of a list a key leads to: the arrows, the ends, or the first letter of a word. */
export function stepOf(key: string, at: number, labels: readonly string[]): number | undefined {
  const { length } = labels;
  if (length === 0) return undefined;
  switch (key) {
    case "ArrowDown":
      return (at + 1) % length;
    case "ArrowUp":
      return (at - 1 + length) % length;
    case "Home":
      return 0;
    case "End":
      return length - 1;
    default: {
      if (key.length !== 1 || key === " ") return undefined;
      const order = labels.map((_, offset) => (at + 1 + offset) % length);
      return order.find((index) => labels[index]?.toLowerCase().startsWith(key.toLowerCase()) === true);
    }
  }
}
