/**
 * A hooks.json of the person's with our entries in it. It is changed as text: what else is in it stays as it was written, with its comments,
 * tabs and line ends, and taking our entries out leaves it as if they had never been.
 */
import { ReinsError } from "../../../events/errors.ts";
import { isHookEvent, knowsEvent } from "./events.ts";
import { parseJsonText, valueOf } from "./json-text.ts";
import type { Element, JsonNode, Member } from "./json-text.ts";

/** What there is where there was no file. Nobody writes it so by hand. */
const skeleton = '{"version":1,"hooks":{}}';

export interface HookEntry {
  readonly event: string;
  readonly command: string;
  /** Seconds. */
  readonly timeout: number;
  readonly failClosed?: true | undefined;
}

/** Each in front of what is there already. Throws where the text is no such file. */
export function withEntries(text: string | undefined, entries: readonly HookEntry[], path = "It"): string {
  const now = text ?? skeleton;
  const root = parsed(now, path);
  const hooks = last(root.members, "hooks");
  if (hooks === undefined) {
    const added = `"hooks":{${entries.map(asMember).join(",")}}`;
    return spliced(now, [inserted(root, added, root.members)]);
  }
  const { node } = hooks;
  if (node.kind !== "object") throw broken(path);
  const missing = entries.filter(({ event }) => last(node.members, event) === undefined);
  const into = entries.flatMap((entry) => {
    const list = last(node.members, entry.event)?.node;
    if (list === undefined) return [];
    if (list.kind !== "array") throw broken(path);
    return [inserted(list, asElement(entry), list.elements)];
  });
  const added = missing.length === 0 ? [] : [inserted(node, missing.map(asMember).join(","), node.members)];
  return spliced(now, [...added, ...into]);
}

/** Without those that are ours; undefined where nothing but a skeleton is left, and the text as it is where it cannot be read. */
export function withoutEntries(text: string, isOurs: (command: string) => boolean): string | undefined {
  let root: JsonNode;
  try {
    root = parsed(text);
  } catch {
    return text;
  }
  const lists = eventsIn(root).flatMap(({ members }) => [
    cutsOf(members, (member) => isAllOurs(member, isOurs)),
    ...members.flatMap(({ node }) =>
      node.kind === "array" ? [cutsOf(node.elements, ({ node: entry }) => isEntry(entry, isOurs))] : [],
    ),
  ]);
  const left = spliced(
    text,
    lists.flat().map(([start, end]) => ({ start, end, text: "" })),
  );
  return left === skeleton ? undefined : left;
}

/** The commands in it, by event; undefined where it cannot be read. */
export function commandsIn(text: string): readonly { readonly event: string; readonly command: string }[] | undefined {
  try {
    return eventsIn(parsed(text)).flatMap(({ members }) =>
      members.flatMap(({ key, node }) =>
        node.kind === "array" ? node.elements.flatMap(({ node: entry }) => commandOf(entry, key)) : [],
      ),
    );
  } catch {
    return undefined;
  }
}

/** What is in it that makes Cursor pass over the whole file, and ours with it, without a word. */
export function flawIn(text: string, version: string | undefined): string | undefined {
  const events = eventsIn(parsed(text)).flatMap(({ members }) => members.map(({ key }) => key));
  const strange = events.find((event) => !isHookEvent(event));
  if (strange !== undefined) return `an event that Cursor is not known to have (${strange})`;
  const unknown = events.find((event) => !knowsEvent(version, event));
  if (unknown !== undefined) return `an event that Cursor ${version} does not know (${unknown})`;
  const address = commandsIn(text)?.find(({ command }) => command.includes("://"));
  return address === undefined ? undefined : `a command with an address in it (for ${address.event})`;
}

/** How long our entries may take. */
export function timeoutsIn(
  text: string,
  isOurs: (command: string) => boolean,
): readonly { readonly timeout: number }[] {
  return eventsIn(parsed(text)).flatMap(({ members }) =>
    members.flatMap(({ node }) =>
      node.kind === "array"
        ? node.elements.flatMap(({ node: entry }) => {
            const { timeout } = Object(valueOf(entry)) as { timeout?: unknown };
            return isEntry(entry, isOurs) && typeof timeout === "number" ? [{ timeout }] : [];
          })
        : [],
    ),
  );
}

function commandOf(entry: JsonNode, event: string): { event: string; command: string }[] {
  const { command } = Object(valueOf(entry)) as { command?: unknown };
  return typeof command === "string" ? [{ event, command }] : [];
}

interface JsonObject {
  readonly members: readonly Member[];
}

function parsed(text: string, path = "It"): Extract<JsonNode, { kind: "object" }> {
  let root: JsonNode;
  try {
    root = parseJsonText(text);
  } catch {
    throw broken(path);
  }
  if (root.kind !== "object") throw broken(path);
  return root;
}

/** Where a key stands twice, the last counts; ours may be in either. */
function eventsIn(root: JsonNode): readonly JsonObject[] {
  const members = root.kind === "object" ? root.members : [];
  return members.flatMap(({ key, node }) => (key === "hooks" && node.kind === "object" ? [node] : []));
}

function last(members: readonly Member[], key: string): Member | undefined {
  return members.findLast((member) => member.key === key);
}

function isEntry(node: JsonNode, isOurs: (command: string) => boolean): boolean {
  return commandOf(node, "").some(({ command }) => isOurs(command));
}

function isAllOurs({ node }: Element, isOurs: (command: string) => boolean): boolean {
  return (
    node.kind === "array" &&
    node.elements.length > 0 &&
    node.elements.every(({ node: entry }) => isEntry(entry, isOurs))
  );
}

const asElement = ({ command, timeout, failClosed }: HookEntry): string =>
  JSON.stringify({ command, timeout, failClosed });
const asMember = (entry: HookEntry): string => `${JSON.stringify(entry.event)}:[${asElement(entry)}]`;

interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Right behind the bracket: a comma after the last, and comments, are then nobody's concern. */
function inserted({ start }: JsonNode, text: string, siblings: readonly unknown[]): Splice {
  return { start: start + 1, end: start + 1, text: siblings.length > 0 ? `${text},` : text };
}

/** What goes of a list, each with one comma. */
function cutsOf<Part extends Element>(parts: readonly Part[], goes: (part: Part) => boolean): [number, number][] {
  const cuts: [number, number][] = [];
  for (const [index, part] of parts.entries()) {
    if (!goes(part)) continue;
    const before = parts.slice(0, index).findLast((other) => !goes(other))?.comma;
    if (part.comma !== undefined) cuts.push([part.start, part.comma + 1]);
    else cuts.push([before ?? part.start, part.end]);
  }
  return cuts;
}

/** Cuts may overlap: a whole list goes, and so does what is in it. */
function spliced(text: string, splices: readonly Splice[]): string {
  let [result, at] = ["", 0];
  for (const { start, end, text: added } of splices.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (start >= at) result += text.slice(at, start);
    if (end < at) continue;
    result += added;
    at = Math.max(at, end);
  }
  return result + text.slice(at);
}

function broken(path: string): ReinsError {
  return new ReinsError("invalid_input", `${path} is no hooks file that Reins can read, so it is left as it is.`);
}
