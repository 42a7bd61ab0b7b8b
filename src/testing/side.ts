/** Answers to an agent's own requests (a title, a suggestion) that want JSON of a given shape. */

type Schema = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The plainest value a JSON schema allows. */
export function dummyFor(schema: unknown, name = "value"): unknown {
  if (!isObject(schema)) return null;
  if ("const" in schema) return schema["const"];
  if (Array.isArray(schema["enum"])) return schema["enum"][0];
  for (const choice of ["anyOf", "oneOf"]) if (Array.isArray(schema[choice])) return dummyFor(schema[choice][0], name);
  const type = Array.isArray(schema["type"]) ? schema["type"][0] : schema["type"];
  if (type === "string") return `scripted ${name}`;
  if (type === "boolean") return false;
  if (type === "number" || type === "integer") return 0;
  if (type === "array") return [];
  if (!isObject(schema["properties"])) return type === "object" ? {} : null;
  return Object.fromEntries(Object.entries(schema["properties"]).map(([key, value]) => [key, dummyFor(value, key)]));
}
