/** A request to a model, independent of its wire. */

/** One thing of the conversation, oldest first. */
export type Item =
  | { readonly from: "user"; readonly text: string }
  | { readonly from: "tool"; readonly text: string; readonly failed: boolean }
  | { readonly from: "image" }
  | { readonly from: "model" };

/** Where in which scenario a conversation stands. */
export interface Place {
  readonly name: string | undefined;
  readonly arg: string | undefined;
  /** How many items there are up to the marker; all of them without one. */
  readonly until: number;
  /** How many of the model's tool calls came back since the marker; calls made together count once. */
  readonly step: number;
  readonly lastResult: string;
  readonly results: number;
  readonly images: number;
  /** What the model was told since it last spoke. */
  readonly newest: string;
}

const marker = /\bscenario:([a-z0-9][a-z0-9-]*)(?::([^\s"'`<]+))?/g;

/** A prompt that chooses a scenario: `scenario:name:arg and some words`. */
export function scenarioPrompt(name: string, arg?: string, words?: string): string {
  const chosen =
    arg === undefined ? `scenario:${name}` : `scenario:${name}:${encodeURIComponent(arg).replaceAll("'", "%27")}`;
  return words === undefined ? chosen : `${chosen} ${words}`;
}

/**
 * Finds the newest marker in what the user said and counts from there.
 * The trap: an agent merges neighbouring user messages, so that after an interrupted tool ONE message holds the tool's
 * result, a remark of the agent and the next prompt. Order counts, not messages.
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
