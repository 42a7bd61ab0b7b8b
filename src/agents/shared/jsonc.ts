import type { ParseError } from "jsonc-parser";

/** Parses JSON with comments and trailing commas. Throws a `SyntaxError`. */
export async function parseJsonc(text: string): Promise<unknown> {
  const { getNodeValue, parseTree } = await import("jsonc-parser");
  const errors: ParseError[] = [];
  // The library's `parse` would set the prototype for a key `__proto__`.
  const root = parseTree(text.replace(/^\uFEFF/, ""), errors, { allowTrailingComma: true });
  if (root === undefined || errors.length > 0) throw new SyntaxError(`unexpected text at ${errors[0]?.offset ?? 0}`);
  return getNodeValue(root);
}
