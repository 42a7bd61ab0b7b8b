import { ReinsError } from "./errors.ts";

/** Overrides rows of a table of numbers. Values are capped at `most`: a timer beyond 32 bits would fire at once. */
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
      const help = `There are ${Object.keys(table).join(", ")}.`;
      throw new ReinsError("invalid_input", `There is no ${what} ${name}.`, { help });
    }
    if (typeof value !== "number" || !(value >= 0)) {
      const given = typeof value === "number" || typeof value === "string" ? value : JSON.stringify(value);
      const message = `The ${what} ${name} must be 0 or more, not ${given}.`;
      throw new ReinsError("invalid_input", message);
    }
    result[name as Row] = Math.min(value, most);
  }
  return result;
}
