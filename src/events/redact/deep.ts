/** Shorter keys are field names and are not checked. */
const shortestKey = 12;
const deepest = 200;

/** Extends a function on strings to JSON values. Copies only where something changed. */
export function createDeep(redact: (text: string) => string): <Value>(value: Value) => Value {
  const deep = (value: unknown, depth: number): unknown => {
    if (typeof value === "string") return redact(value);
    if (typeof value !== "object" || value === null) return value;
    // Replace what is too deep to check; JSON.stringify could not write it either.
    if (depth > deepest) return "[nested too deep]";
    return Array.isArray(value) ? deepArray(value, depth + 1) : deepObject(value, depth + 1);
  };

  const deepArray = (array: readonly unknown[], depth: number): readonly unknown[] => {
    let copy: unknown[] | undefined;
    for (let index = 0; index < array.length; index++) {
      const clean = deep(array[index], depth);
      if (clean !== array[index]) (copy ??= array.slice())[index] = clean;
    }
    return copy ?? array;
  };

  const deepObject = (object: object, depth: number): object => {
    let copy: [string, unknown][] | undefined;
    const keys = Object.keys(object);
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index] as keyof typeof object;
      const name = (key as string).length < shortestKey ? key : redact(key);
      const clean = deep(object[key], depth);
      if (clean !== object[key] || name !== key) (copy ??= Object.entries(object))[index] = [name, clean];
    }
    // Use fromEntries, because a key may be `__proto__`.
    return copy === undefined ? object : Object.fromEntries(copy);
  };

  return <Value>(value: Value): Value => deep(value, 0) as Value;
}
