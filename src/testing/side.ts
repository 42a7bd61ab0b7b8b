/** Answers to an agent's own requests (a title, a suggestion) that want JSON of a given shape. */
import type { Cue } from "./script.ts";

type Schema = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The plainest value a JSON schema allows. */
export function dummyFor(schema: unknown, name = "value"): unknown {
  if (!isObject(schema)) return null;
  if ("const" in schema) return schema["const"];
  if (Array.isArray(schema["enum"])) return schema["enum"][0];
  for (const choice of ["anyOf", "oneOf"]) if (Array.isArray(schema[choice])) return dummyFor(schema[choice][0], name);
  const given: unknown = Array.isArray(schema["type"]) ? schema["type"][0] : schema["type"];
  // Google writes STRING.
  const type = typeof given === "string" ? given.toLowerCase() : undefined;
  if (type === "string") return `scripted ${name}`;
  if (type === "boolean") return false;
  if (type === "number" || type === "integer") return typeof schema["minimum"] === "number" ? schema["minimum"] : 0;
  if (type === "array") return [];
  if (!isObject(schema["properties"])) return type === "object" ? {} : null;
  return Object.fromEntries(Object.entries(schema["properties"]).map(([key, value]) => [key, dummyFor(value, key)]));
}

/** What a request of the agent's own is answered with. */
export function sideCue(side: { readonly schema: unknown } | "words"): Cue {
  const said = side === "words" ? "A scripted answer" : JSON.stringify(dummyFor(side.schema));
  const nothingElse = { stop: undefined, usage: {}, headers: {}, limit: undefined };
  return { scenario: "side", step: 0, played: 0, acts: [{ say: said }], ...nothingElse };
}
