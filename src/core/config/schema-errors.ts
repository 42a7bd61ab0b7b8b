/** Describes a schema error in one sentence: the key, its line, and the key that was probably meant. */
import type { z } from "zod";
import { closest } from "../../events/closest.ts";

/** Line number of the value at a path, from 1. Undefined when unknown. */
export type LineOf = (path: readonly PropertyKey[]) => number | undefined;

export function describeIssue(schema: z.ZodType, { issues }: z.ZodError, lineOf: LineOf): string {
  // Report unknown keys first: a mistyped key also causes the error about the missing one.
  const [first] = issues.toSorted(
    (a, b) => Number(b.code === "unrecognized_keys") - Number(a.code === "unrecognized_keys"),
  );
  const { path, said } = faultOf(schema, first!);
  const line = lineOf(path) ?? lineOf(path.slice(0, -1));
  const count = issues.reduce((sum, issue) => sum + (issue.code === "unrecognized_keys" ? issue.keys.length : 1), 0);
  const more = count === 1 ? "" : ` (and ${count - 1} more)`;
  return `${line === undefined ? "" : `line ${line}: `}${said}${more}.`;
}

function faultOf(schema: z.ZodType, issue: z.core.$ZodIssue) {
  const { path } = issue;
  const name = path.length === 0 ? "it" : path.map(String).join(".");
  switch (issue.code) {
    case "unrecognized_keys": {
      const key = issue.keys[0] ?? "";
      const known = keysAt(schema, path);
      const near = closest(key, known);
      const help = near === undefined ? `there are ${known.join(", ")}` : `did you mean ${near}?`;
      const at = [...path, key];
      return { path: at, said: `there is no key ${at.map(String).join(".")}; ${help}`.replace(/\?$/, "") };
    }
    case "invalid_value":
      return { path, said: `${name} must be one of ${issue.values.map(String).join(", ")}` };
    case "invalid_type":
      return { path, said: `${name} must be ${kinds[issue.expected] ?? issue.expected}` };
    case "too_small":
      return { path, said: `${name} must ${leastOf(issue)}` };
    case "too_big":
      return { path, said: `${name} must be ${String(issue.maximum)} or less` };
    case "invalid_key":
      return { path, said: `${name}: ${issue.issues[0]?.message ?? issue.message}` };
    default:
      return { path, said: `${name}: ${issue.message.charAt(0).toLowerCase()}${issue.message.slice(1)}` };
  }
}

function leastOf({ origin, minimum, inclusive = true }: z.core.$ZodIssueTooSmall): string {
  if (origin !== "number") return "not be empty";
  return inclusive ? `be ${String(minimum)} or more` : `be more than ${String(minimum)}`;
}

const kinds: Readonly<Record<string, string>> = {
  string: "text",
  object: "an object",
  record: "an object",
  array: "a list",
  int: "a whole number",
  number: "a number",
};

function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  let inner = plain(schema);
  for (const step of path) {
    const { shape, valueType, element } = inner.def;
    const next = shape?.[String(step)] ?? valueType ?? element;
    if (next === undefined) return [];
    inner = plain(next);
  }
  return Object.keys(inner.def.shape ?? {}).filter((key) => key !== "$schema");
}

interface Walked {
  readonly def: {
    readonly shape?: Readonly<Record<string, unknown>>;
    readonly valueType?: unknown;
    readonly element?: unknown;
    readonly innerType?: unknown;
  };
}

function plain(schema: unknown): Walked {
  let inner = schema as Walked;
  while (inner.def.innerType !== undefined) inner = inner.def.innerType as Walked;
  return inner;
}
