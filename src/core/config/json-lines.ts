/**
 * Finds line numbers in a JSON text for error messages: the line of each key, and of the first syntax error. Loaded
 * only when there is an error.
 */
import { findNodeAtLocation, parseTree, type Node, type ParseError } from "jsonc-parser";
import type { LineOf } from "./schema-errors.ts";

export function jsonLines(text: string): { readonly lineOf: LineOf; readonly brokenLine: number | undefined } {
  const lineAt = (offset: number): number => text.slice(0, offset).split("\n").length;
  const errors: ParseError[] = [];
  let root: Node | undefined;
  try {
    root = parseTree(text, errors, { disallowComments: true });
  } catch {
    // Nested so deep that the parser overflowed: there is no position to report.
    return { lineOf: () => undefined, brokenLine: undefined };
  }
  return {
    lineOf: (path) => {
      const steps = path.map((key) => (typeof key === "number" ? key : String(key)));
      const node = root && findNodeAtLocation(root, steps);
      // For a member, use the position of its key.
      const target = node?.parent?.type === "property" ? node.parent : node;
      return target && path.length > 0 ? lineAt(target.offset) : undefined;
    },
    brokenLine: errors[0] && lineAt(errors[0].offset),
  };
}
