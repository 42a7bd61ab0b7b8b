/**
 * A hooks.json of the user with entries of Reins. It is edited as text: everything else stays as written, with
 * comments, tabs and line ends, and removing the entries restores the file exactly.
 */
import { getNodeValue, parseTree, visit, type Node, type ParseError } from "jsonc-parser";
import { ReinsError } from "../../../events/errors.ts";
import { isHookEvent, knowsEvent } from "./events.ts";

/** A new file. Its exact text distinguishes it from a file that a person wrote. */
const skeleton = '{"version":1,"hooks":{}}';

export interface HookEntry {
  readonly event: string;
  readonly command: string;
  /** In seconds. */
  readonly timeout: number;
  readonly failClosed?: true | undefined;
}

/** Puts each entry before the existing ones. Throws when the text is not a hooks file. */
export function withEntries(text: string | undefined, entries: readonly HookEntry[], path = "It"): string {
  const now = text ?? skeleton;
  const root = parsed(now, path);
  const hooks = last(root, "hooks");
  if (hooks === undefined) return spliced(now, [inserted(root, `"hooks":{${entries.map(asMember).join(",")}}`)]);
  if (hooks.type !== "object") throw broken(path);
  const missing = entries.filter(({ event }) => last(hooks, event) === undefined);
  const into = entries.flatMap((entry) => {
    const list = last(hooks, entry.event);
    if (list === undefined) return [];
    if (list.type !== "array") throw broken(path);
    return [inserted(list, asElement(entry))];
  });
  const added = missing.length === 0 ? [] : [inserted(hooks, missing.map(asMember).join(","))];
  return spliced(now, [...added, ...into]);
}

/** Undefined when only the skeleton is left; the unchanged text when it cannot be parsed. */
export function withoutEntries(text: string, isOurs: (command: string) => boolean): string | undefined {
  let root: Node;
  try {
    root = parsed(text);
  } catch {
    return text;
  }
  const commas: number[] = [];
  visit(withoutMark(text), { onSeparator: (sign, offset) => void (sign === "," && commas.push(offset)) });
  const cuts = hooksIn(root).flatMap((hooks) => [
    ...cutsOf(hooks, commas, (member) => isAllOurs(valueIn(member), isOurs)),
    ...membersOf(hooks).flatMap(({ value }) => cutsOf(value, commas, (entry) => isEntry(entry, isOurs))),
  ]);
  const left = spliced(text, cuts);
  return left === skeleton ? undefined : left;
}

export function commandsIn(text: string): readonly { readonly event: string; readonly command: string }[] | undefined {
  try {
    return entriesIn(text).flatMap(({ event, entry }) => {
      const command = commandOf(entry);
      return command === undefined ? [] : [{ event, command }];
    });
  } catch {
    return undefined;
  }
}

/** Finds something in the file that makes Cursor silently ignore the whole file. */
export function flawIn(text: string, version: string | undefined): string | undefined {
  const events = hooksIn(parsed(text)).flatMap((hooks) => membersOf(hooks).map(({ key }) => key));
  const strange = events.find((event) => !isHookEvent(event));
  if (strange !== undefined) return `an event that Cursor is not known to have (${strange})`;
  const unknown = events.find((event) => !knowsEvent(version, event));
  if (unknown !== undefined) return `an event that Cursor ${version} does not know (${unknown})`;
  const address = commandsIn(text)?.find(({ command }) => command.includes("://"));
  return address === undefined ? undefined : `a command with an address in it (for ${address.event})`;
}

/** The time limits of the entries of Reins, in seconds. */
export function timeoutsIn(text: string, isOurs: (command: string) => boolean): readonly number[] {
  return entriesIn(text).flatMap(({ entry }) => {
    const { timeout } = Object(getNodeValue(entry)) as { timeout?: unknown };
    return isEntry(entry, isOurs) && typeof timeout === "number" ? [timeout] : [];
  });
}

function parsed(text: string, path = "It"): Node {
  const errors: ParseError[] = [];
  let root: Node | undefined;
  try {
    root = parseTree(withoutMark(text), errors, { allowTrailingComma: true });
  } catch {
    // A text that is nested too deeply overflows the stack of the parser.
  }
  if (root?.type !== "object" || errors.length > 0) throw broken(path);
  return root;
}

/** JSON allows no byte order mark; a space in its place keeps the offsets. */
function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, " ");
}

function membersOf({ children = [] }: Node) {
  return children.map((member) => ({ key: String(member.children?.[0]?.value), value: valueIn(member) }));
}

function valueIn(member: Node): Node {
  return member.children![1]!;
}

/** The last one counts when a key occurs twice. */
function last(object: Node, key: string): Node | undefined {
  return membersOf(object).findLast((member) => member.key === key)?.value;
}

/** Returns all of them when the key occurs twice, because the entries of Reins may be in either. */
function hooksIn(root: Node): readonly Node[] {
  return membersOf(root).flatMap(({ key, value }) => (key === "hooks" && value.type === "object" ? [value] : []));
}

function entriesIn(text: string): readonly { readonly event: string; readonly entry: Node }[] {
  return hooksIn(parsed(text)).flatMap((hooks) =>
    membersOf(hooks).flatMap(({ key, value }) =>
      value.type === "array" ? (value.children ?? []).map((entry) => ({ event: key, entry })) : [],
    ),
  );
}

function commandOf(entry: Node): string | undefined {
  const { command } = Object(getNodeValue(entry)) as { command?: unknown };
  return typeof command === "string" ? command : undefined;
}

function isEntry(entry: Node, isOurs: (command: string) => boolean): boolean {
  const command = commandOf(entry);
  return command !== undefined && isOurs(command);
}

function isAllOurs({ type, children = [] }: Node, isOurs: (command: string) => boolean): boolean {
  return type === "array" && children.length > 0 && children.every((entry) => isEntry(entry, isOurs));
}

const asElement = ({ command, timeout, failClosed }: HookEntry): string =>
  JSON.stringify({ command, timeout, failClosed });
const asMember = (entry: HookEntry): string => `${JSON.stringify(entry.event)}:[${asElement(entry)}]`;

interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Inserts right after the bracket, so that trailing commas and comments do not matter. */
function inserted({ offset, children = [] }: Node, text: string): Splice {
  return { start: offset + 1, end: offset + 1, text: children.length > 0 ? `${text},` : text };
}

/** Cuts each part with one comma. The library's own `modify` also removes comments and spaces, so the file would not be restored. */
function cutsOf(list: Node, commas: readonly number[], goes: (part: Node) => boolean): Splice[] {
  if (list.type !== "array" && list.type !== "object") return [];
  const parts = (list.children ?? []).map((part, index, all) => {
    const end = part.offset + part.length;
    const until = all[index + 1]?.offset ?? list.offset + list.length;
    return { start: part.offset, end, comma: commas.find((at) => at >= end && at < until), goes: goes(part) };
  });
  return parts.flatMap(({ start, end, comma, goes: isOut }, index) => {
    if (!isOut) return [];
    if (comma !== undefined) return [{ start, end: comma + 1, text: "" }];
    const before = parts.slice(0, index).findLast((other) => !other.goes)?.comma;
    return [{ start: before ?? start, end, text: "" }];
  });
}

/** Cuts may overlap: a whole list is removed, and so are its parts. */
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
  return new ReinsError("invalid_input", `${path} is not a hooks file that Reins can read, so it was left unchanged.`);
}
