/** What `{...}` in a scenario may stand for. */
export type Values = Readonly<Record<string, string | undefined>>;

const placeholder = /\{([A-Za-z]+)(?:\|([^{}]*))?\}/g;

/** Puts values into every string of some data: `{cwd}`, `{arg|else this}`. What no value is known for stays as it is. */
export function fill<T>(data: T, values: Values): T {
  return fillAny(data, values) as T;
}

function fillAny(data: unknown, values: Values): unknown {
  if (typeof data === "string")
    return data.replace(
      placeholder,
      (whole, name: string, otherwise: string | undefined) => values[name] ?? otherwise ?? whole,
    );
  if (Array.isArray(data)) return data.map((entry) => fillAny(entry, values));
  if (typeof data === "object" && data !== null)
    return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, fillAny(value, values)]));
  return data;
}
