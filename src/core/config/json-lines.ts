/** Where things stand in a JSON text, for those who wrote it by hand: the line of each key, and of the first thing that is no JSON. Loaded when something is wrong. */
import { findNodeAtLocation, parseTree, type Node, type ParseError } from "jsonc-parser";
import type { LineOf } from "./schema-errors.ts";

export function jsonLines(text: string): { readonly lineOf: LineOf; readonly brokenLine: number | undefined } {
  const lineAt = (offset: number): number => text.slice(0, offset).split("\n").length;
  const errors: ParseError[] = [];
  let root: Node | undefined;
  try {
    root = parseTree(text, errors, { disallowComments: true });
  } catch {
    // So deep that the parser has no room left: no place to point at.
    return { lineOf: () => undefined, brokenLine: undefined };
  }
  return {
    lineOf: (path) => {
      const steps = path.map((key) => (typeof key === "number" ? key : String(key)));
      const node = root && findNodeAtLocation(root, steps);
      // Of a member the key, which stands first in it.
      const target = node?.parent?.type === "property" ? node.parent : node;
      return target && path.length > 0 ? lineAt(target.offset) : undefined;
    },
    brokenLine: errors[0] && lineAt(errors[0].offset),
  };
}
