/** Redactor of a session, and errors without secrets. */
import { toReinsError, type ReinsError } from "../events/errors.ts";
import { createRedactor, type Redactor } from "../events/redact.ts";
import type { SessionOptions } from "./api.ts";

const deepest = 8;

/** Removes secrets from an error and its causes for the caller: messages of agents may contain them, and people print errors. */
export function cleanError(thrown: unknown, redact: Redactor): ReinsError {
  const error = toReinsError(thrown);
  let cause: unknown = error;
  for (let depth = 0; cause instanceof Error && depth < deepest; depth++) {
    // Redact in place to keep the class and the stack.
    for (const [key, value] of Object.entries(Object.getOwnPropertyDescriptors(cause))) {
      if (key === "cause" && value.value instanceof Error) continue;
      const clean: unknown = redact.deep(value.value);
      if (clean !== value.value) Object.defineProperty(cause, key, { ...value, value: clean });
    }
    cause = cause.cause;
  }
  return error;
}

type Variables = Record<string, string | undefined>;

/** Headers whose whole value is secret, except the scheme before it. */
const secretHeader = /^(?:proxy-)?authorization$|^cookie$/i;
const scheme = /^(?:bearer|basic|token)\s+/i;

/** Returns Reins's own redactor, unless the session has additional secrets. */
export function sessionRedactor(
  redact: Redactor,
  env: Readonly<Variables>,
  { env: own, mcpServers }: SessionOptions,
): Redactor {
  const variables: Variables = {};
  const add = (from: Readonly<Record<string, string>> = {}, prefix = "") => {
    for (const [name, value] of Object.entries(from)) {
      if (secretHeader.test(name)) variables[`${prefix}SECRET ${name}`] = value.replace(scheme, "");
      else variables[prefix + name] = value;
    }
  };
  add(own);
  for (const [index, server] of Object.values(mcpServers ?? {}).entries())
    add("headers" in server ? server.headers : "env" in server ? server.env : undefined, `${index} `);
  return Object.keys(variables).length === 0 ? redact : createRedactor({ ...prefixed(env), ...variables });
}

/** When the session overrides a variable, both values are secret. */
function prefixed(env: Readonly<Variables>): Variables {
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [`reins ${name}`, value]));
}
