/** The definition of a tool: one list of fields gives the schema, the type and the check of its input. */
import type { JSONSchema7 } from "ai";
import type { CanonicalInput, Tool } from "../../../events/tools.ts";
import type { Located } from "../../../workspace/real-paths.ts";
import type { LocatedFiles } from "../../shared/in-process/located-files.ts";
import { ToolProblem } from "../../shared/in-process/stop-turn.ts";
import type { Done, Inquiry, Running } from "../../shared/in-process/tool-call.ts";
import type { Turn } from "../turn.ts";

export interface ToolDefinition<Input = unknown> {
  readonly name: string;
  readonly tool: Tool;
  readonly description: string;
  readonly inputSchema: JSONSchema7;
  readonly mcp?: { readonly server: string; readonly tool: string };
  /** Checks the input. Throws a ToolProblem with a sentence for the model. */
  readonly check: (input: unknown) => Input;
  readonly about: (input: Input) => CanonicalInput;
  readonly locate?: (files: LocatedFiles, input: Input) => readonly Located[];
  readonly inquiry?: (turn: Turn, input: Input) => Promise<Inquiry>;
  readonly run: (turn: Turn, input: Input, running: Running) => Promise<Done>;
}

export interface Field<Value> {
  readonly schema: JSONSchema7;
  readonly optional?: true;
  /** Throws the result of `problem` for a few words such as "must be a text". */
  readonly read: (value: unknown, problem: (what: string) => ToolProblem, at: string) => Value;
}

type Fields = Readonly<Record<string, Field<unknown>>>;
type InputOf<Given extends Fields> = {
  readonly [Name in keyof Given]: Given[Name] extends Field<infer Value> ? Value : never;
};

/** The tool has the name of its canonical tool unless `name` is given, and its input has the field names that titles use. */
export function defineTool<Given extends Fields>(
  definition: Omit<ToolDefinition<InputOf<Given>>, "name" | "inputSchema" | "check" | "about"> & {
    readonly name?: string;
    readonly input: Given;
    readonly about?: (input: InputOf<Given>) => CanonicalInput;
  },
): ToolDefinition {
  const { input, about, ...rest } = definition;
  const name = definition.name ?? definition.tool;
  const defined: ToolDefinition<InputOf<Given>> = {
    ...rest,
    name,
    inputSchema: schemaOf(input),
    check: (value) => readFields(input, name, value),
    about: about ?? ((given) => given),
  };
  return defined as ToolDefinition<unknown>;
}

function schemaOf(fields: Fields): JSONSchema7 {
  const required = Object.keys(fields).filter((name) => fields[name]?.optional !== true);
  const properties = Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema]));
  return { type: "object", properties, ...(required.length > 0 && { required }) };
}

function readFields<Given extends Fields>(fields: Given, at: string, input: unknown): InputOf<Given> {
  const values = checkedObject(at, input);
  const read = Object.entries(fields).map(([name, field]) => {
    const problem = (what: string) => new ToolProblem(`${name} ${what} in the input of ${at}.`);
    return [name, field.read(values[name], problem, `${at}.${name}`)];
  });
  return Object.fromEntries(read) as InputOf<Given>;
}

export function checkedObject(tool: string, input: unknown): Readonly<Record<string, unknown>> {
  if (typeof input !== "object" || input === null || Array.isArray(input))
    throw new ToolProblem(`The input of ${tool} must be an object.`);
  return input as Readonly<Record<string, unknown>>;
}

const described = (schema: JSONSchema7, description?: string): JSONSchema7 =>
  description === undefined ? schema : { ...schema, description };

export const anyText = (description?: string): Field<string> => ({
  schema: described({ type: "string" }, description),
  read: (value, problem) => {
    if (typeof value !== "string") throw problem(value === undefined ? "is missing" : "must be a text");
    return value;
  },
});

/** A text with at least one character; without `exact`, white space does not count. */
export const text = (description?: string, { exact = false } = {}): Field<string> => {
  const any = anyText(description);
  return {
    ...any,
    read: (value, problem, at) => {
      const given = any.read(value, problem, at);
      if ((exact ? given : given.trim()) === "") throw problem("must not be empty");
      return given;
    },
  };
};

/** A whole number of at least 1. */
export const count = (description: string, maximum?: number): Field<number> => ({
  schema: described({ type: "integer", minimum: 1, ...(maximum !== undefined && { maximum }) }, description),
  read: (value, problem) => {
    if (typeof value !== "number" || !Number.isInteger(value) || value < 1)
      throw problem("must be a whole number, 1 or more");
    return maximum === undefined ? value : Math.min(value, maximum);
  },
});

export const flag = (description?: string): Field<boolean> =>
  optional(
    {
      schema: described({ type: "boolean" }, description),
      read: (value, problem) => {
        if (typeof value !== "boolean") throw problem("must be true or false");
        return value;
      },
    },
    false,
  );

export const oneOf = <Word extends string>(...words: readonly Word[]): Field<Word> => ({
  schema: { type: "string", enum: [...words] },
  read: (value, problem) => {
    const word = words.find((one) => one === value);
    if (word === undefined) throw problem(`must be one of ${words.join(", ")}`);
    return word;
  },
});

export const texts = (): Field<readonly string[]> =>
  optional(
    {
      schema: { type: "array", items: { type: "string" } },
      read: (value, problem) => {
        if (!Array.isArray(value) || !value.every((item) => typeof item === "string"))
          throw problem("must be a list of texts");
        return value;
      },
    },
    [],
  );

export const list = <Given extends Fields>(fields: Given): Field<readonly InputOf<Given>[]> => ({
  schema: { type: "array", items: schemaOf(fields) },
  read: (value, problem, at) => {
    if (!Array.isArray(value)) throw problem("must be a list");
    return value.map((item: unknown) => readFields(fields, at, item));
  },
});

/** Some models send null for a field that they leave out. */
export function optional<Value, Otherwise>(field: Field<Value>, otherwise: Otherwise): Field<Value | Otherwise> {
  const { schema, read } = field;
  return {
    schema,
    optional: true,
    read: (value, problem, at) => ((value ?? undefined) === undefined ? otherwise : read(value, problem, at)),
  };
}
