import { ToolProblem } from "../../shared/endings.ts";

/** The input of a call, looked at field by field: a model may send anything. */
export class Fields {
  readonly #tool: string;
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(tool: string, input: unknown) {
    this.#tool = tool;
    if (typeof input !== "object" || input === null || Array.isArray(input))
      throw new ToolProblem(`The input of ${tool} must be an object.`);
    this.#values = input as Readonly<Record<string, unknown>>;
  }

  /** A text that must be there, and say something. */
  text(name: string): string {
    const value = this.anyText(name);
    if (value.trim() === "") throw this.#problem(name, "must not be empty");
    return value;
  }

  /** A text that must be there and may be empty. */
  anyText(name: string): string {
    const value = this.#values[name];
    if (typeof value !== "string") throw this.#problem(name, value === undefined ? "is missing" : "must be a text");
    return value;
  }

  optionalText(name: string): string | undefined {
    return this.#given(name) === undefined ? undefined : this.text(name);
  }

  /** A whole number from 1 on. */
  optionalCount(name: string): number | undefined {
    const value = this.#given(name);
    if (value === undefined) return undefined;
    if (typeof value !== "number" || !Number.isInteger(value) || value < 1)
      throw this.#problem(name, "must be a whole number, 1 or more");
    return value;
  }

  flag(name: string): boolean {
    const value = this.#given(name);
    if (value !== undefined && typeof value !== "boolean") throw this.#problem(name, "must be true or false");
    return value === true;
  }

  list(name: string): readonly Fields[] {
    const value = this.#values[name];
    if (!Array.isArray(value)) throw this.#problem(name, "must be a list");
    return value.map((item: unknown) => new Fields(`${this.#tool}.${name}`, item));
  }

  texts(name: string): readonly string[] {
    const value = this.#given(name) ?? [];
    if (!Array.isArray(value) || !value.every((item) => typeof item === "string"))
      throw this.#problem(name, "must be a list of texts");
    return value;
  }

  /** As it is. */
  get all(): Readonly<Record<string, unknown>> {
    return this.#values;
  }

  /** Some models say null where they mean nothing. */
  #given(name: string): unknown {
    return this.#values[name] ?? undefined;
  }

  #problem(name: string, what: string): ToolProblem {
    return new ToolProblem(`${name} ${what} in the input of ${this.#tool}.`);
  }
}
