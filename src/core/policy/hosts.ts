/** The hosts in what a tool is given: some agents have one URL, some a list, some a text with URLs in it. */

const urls = /\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>`\\]+/gi;
const deepest = 8;

export function hostsIn(input: unknown, url?: string): readonly string[] {
  const hosts = new Set<string>();
  const add = (text: string) => {
    const host = hostOf(text);
    if (host !== undefined) hosts.add(host);
  };
  const look = (value: unknown, depth: number): void => {
    if (typeof value === "string") for (const [found] of value.matchAll(urls)) add(found.replace(/[,.;:!?)}]+$/, ""));
    else if (typeof value === "object" && value !== null && depth < deepest)
      for (const inner of Object.values(value)) look(inner, depth + 1);
  };
  look(input, 0);
  // Where a URL is expected it is one without a scheme too, and with one slash, or with line breaks that nobody minds.
  if (url !== undefined) {
    if (hostOf(url) === undefined) add(`https://${url}`);
    else add(url);
  }
  return [...hosts];
}

function hostOf(url: string): string | undefined {
  try {
    return new URL(url).hostname.toLowerCase().replace(/\.$/, "") || undefined;
  } catch {
    return undefined;
  }
}
