import type { ParseError } from "jsonc-parser";

/** JSON with comments, and with commas after the last. Throws where it is nothing of the kind. */
export async function parseJsonc(text: string): Promise<unknown> {
  const { getNodeValue, parseTree } = await import("jsonc-parser");
  const errors: ParseError[] = [];
  // Its `parse` would make a key `__proto__` the prototype.
  const root = parseTree(text.replace(/^\uFEFF/, ""), errors, { allowTrailingComma: true });
  if (root === undefined || errors.length > 0) throw new SyntaxError(`unexpected text at ${errors[0]?.offset ?? 0}`);
  return getNodeValue(root);
}
