import { ReinsError } from "./errors.ts";

/**
 * A table of numbers with some rows a caller chose. Larger ones than `most` are `most`: a timer that does not fit into 32 bits
 * would be over at once.
 */
export function overridden<Row extends string>(
  what: string,
  table: Readonly<Record<Row, number>>,
  rows: Readonly<Record<string, unknown>> = {},
  most: number,
): Record<Row, number> {
  const result: Record<Row, number> = { ...table };
  for (const [name, value] of Object.entries(rows)) {
    if (value === undefined) continue;
    if (!Object.hasOwn(table, name)) {
      throw new ReinsError("invalid_input", `There is no ${what} ${name}.`, {
        help: `There are ${Object.keys(table).join(", ")}.`,
      });
    }
    if (typeof value !== "number" || !(value >= 0))
      throw new ReinsError(
        "invalid_input",
        `The ${what} ${name} is a number that is not negative, not ${typeof value === "number" || typeof value === "string" ? value : JSON.stringify(value)}.`,
      );
    result[name as Row] = Math.min(value, most);
  }
  return result;
}
