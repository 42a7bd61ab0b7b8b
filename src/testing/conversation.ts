/** A request to a model, independent of the wire format. */

/** An item of a conversation that an agent sent to the model, oldest first. */
export type Item =
  | { readonly from: "user"; readonly text: string }
  | { readonly from: "tool"; readonly text: string; readonly failed: boolean }
  | { readonly from: "image" }
  | { readonly from: "model" };

/** The scenario of a conversation, and the position in it. */
export interface Place {
  readonly name: string | undefined;
  readonly arg: string | undefined;
  /** Number of items up to the marker; all items without a marker. */
  readonly until: number;
  /** Number of tool rounds since the marker. The results of calls made in one answer count once. */
  readonly step: number;
  readonly lastResult: string;
  readonly results: number;
  readonly images: number;
  /** The user text since the model's last answer. */
  readonly newest: string;
}

const marker = /\bscenario:([a-z0-9][a-z0-9-]*)(?::([^\s"'`<]+))?/g;

/**
 * Writes a prompt that selects a scenario of the scripted model: `scenarioPrompt("read", "a b.txt")` is `scenario:read:a%20b.txt`. `words`
 * are appended.
 */
export function scenarioPrompt(name: string, arg?: string, words?: string): string {
  const chosen =
    arg === undefined ? `scenario:${name}` : `scenario:${name}:${encodeURIComponent(arg).replaceAll("'", "%27")}`;
  return words === undefined ? chosen : `${chosen} ${words}`;
}

/**
 * Finds the newest marker in the user's text and counts from there.
 * Trap: an agent merges neighbouring user messages, so that after an interrupted tool one message holds the tool's result, a remark of the
 * agent and the next prompt. Only the order counts, not the messages.
 */
export function locate(items: readonly Item[]): Place {
  const results: string[] = [];
  const newest: string[] = [];
  let step = 0;
  let inResults = false;
  let spoke = false;
  let found: { name: string; arg: string | undefined } | undefined;
  let until = items.length;
  for (const [index, item] of [...items.entries()].toReversed()) {
    if (item.from === "model") {
      inResults = false;
      spoke = true;
    } else if (item.from === "tool") {
      if (!inResults) step++;
      inResults = true;
      results.unshift(item.text);
    } else if (item.from === "user") {
      if (!spoke) newest.unshift(item.text);
      found = newestMarker(item.text);
      if (found) {
        until = index + 1;
        break;
      }
    }
  }
  return {
    name: found?.name,
    arg: found?.arg,
    until,
    step,
    lastResult: results.at(-1) ?? "",
    results: results.length,
    images: items.filter((item) => item.from === "image").length,
    newest: newest.join("\n"),
  };
}

function newestMarker(text: string): { name: string; arg: string | undefined } | undefined {
  const match = [...text.matchAll(marker)].at(-1);
  return match?.[1] === undefined
    ? undefined
    : { name: match[1], arg: match[2] === undefined ? undefined : decode(match[2]) };
}

function decode(arg: string): string {
  try {
    return decodeURIComponent(arg);
  } catch {
    return arg;
  }
}
