/** Generates values from an OpenAPI document, and checks answers against it. */
import { fc } from "./fast-check.ts";

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly required?: readonly string[];
}
export interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >;
}
export interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

function named(schema: Schema, document: Document): Schema {
  return schema.$ref === undefined ? schema : document.components.schemas[schema.$ref.split("/").at(-1)!]!;
}

const texts = ["demo", "last", "say hi", "/", "x", "", "\0", "../..", "%", "💥\ud800", "x".repeat(5_000)];

/** Mostly valid values, sometimes arbitrary ones. */
export function valueOf(given: Schema, document: Document, depth = 0): fc.Arbitrary<unknown> {
  const schema = named(given, document);
  const inner = (one: Schema): fc.Arbitrary<unknown> => valueOf(one, document, depth + 1);
  const right = (): fc.Arbitrary<unknown> => {
    if (schema.const !== undefined) return fc.constant(schema.const);
    if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
    const either = schema.anyOf ?? schema.oneOf;
    if (either !== undefined) return fc.oneof(...either.map(inner));
    if (schema.type === "object" && schema.properties !== undefined && depth < 4) {
      const fields = Object.entries(schema.properties).map(([key, value]) => [key, inner(value)]);
      return fc.record(Object.fromEntries(fields), { requiredKeys: (schema.required ?? []) as never[] });
    }
    if (schema.type === "array") return fc.array(inner(schema.items ?? {}), { maxLength: 2 });
    if (schema.type === "boolean") return fc.boolean();
    if (schema.type === "number" || schema.type === "integer") return fc.integer({ min: -1, max: 100 });
    return fc.constantFrom(...texts);
  };
  return fc.oneof({ weight: 9, arbitrary: right() }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 1 }) });
}

/** Returns where a value violates the schema; undefined when it is valid. */
export function misfit(given: Schema, value: unknown, document: Document, at = "answer"): string | undefined {
  const schema = named(given, document);
  const either = schema.anyOf ?? schema.oneOf;
  if (either !== undefined)
    return either.some((one) => misfit(one, value, document, at) === undefined) ? undefined : `${at} is none of them`;
  for (const part of schema.allOf ?? []) {
    const wrong = misfit(part, value, document, at);
    if (wrong !== undefined) return wrong;
  }
  if (schema.const !== undefined && value !== schema.const) return `${at} is not ${JSON.stringify(schema.const)}`;
  if (schema.enum !== undefined && !schema.enum.includes(value)) return `${at} is not one of its words`;
  if (schema.type !== undefined && ![schema.type].flat().includes(typeOf(value, schema.type)))
    return `${at} is ${typeOf(value)}, not ${String(schema.type)}`;
  if (Array.isArray(value))
    return first(value.map((one, index) => misfit(schema.items ?? {}, one, document, `${at}.${index}`)));
  if (typeof value !== "object" || value === null) return undefined;
  const missing = schema.required?.find((key) => !(key in value));
  if (missing !== undefined) return `${at} has no ${missing}`;
  return first(
    Object.entries(schema.properties ?? {})
      .filter(([key]) => key in value)
      .map(([key, one]) => misfit(one, (value as Record<string, unknown>)[key], document, `${at}.${key}`)),
  );
}

function first(found: readonly (string | undefined)[]): string | undefined {
  return found.find((one) => one !== undefined);
}

function typeOf(value: unknown, wanted: Schema["type"] = ""): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) && wanted === "integer" ? "integer" : typeof value;
}
