interface LinkTarget {
  readonly text: string;
  /** Where the text goes on. */
  readonly end: number;
  /** It is still being written. */
  readonly pending: boolean;
}

/** Longer addresses lead nowhere. */
const reach = 2100;

/** What a link may have in its parentheses: an address, which may have a few of its own, and a title that nobody sees. */
export function targetAt(text: string, from: number, tail: boolean): LinkTarget | undefined {
  let depth = 0;
  let opened = 0;
  for (let at = from; at < text.length && at - from < reach; at++) {
    const letter = text[at]!;
    if (letter === "\n" || (letter === "(" && ++opened > 32)) return undefined;
    if (letter === "(") depth++;
    if (letter === ")" && depth-- === 0) {
      const [target = ""] = text.slice(from, at).trim().split(" ", 1);
      return { text: target.replace(/^<|>$/g, ""), end: at + 1, pending: false };
    }
  }
  return tail && text.length - from < reach ? { text: "", end: text.length, pending: true } : undefined;
}
