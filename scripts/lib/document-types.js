/**
 * Restores doc comments in declarations: the compiler drops the comments on the fields of a zod schema, so an editor would show nothing for
 * `event.deadline`. Objects are matched by the names of their fields and by their `type` where they have one.
 */
const object = /^(?:export )?const \w+ = (z\.object\()?\{\n([\s\S]*?)\n\}/gm;
const field = /^(?: {2}(\/\*\*.*\*\/)\n)? {2}(\w+): (.*)/gm;

function named(name, value) {
  return name === "type" ? (/"[\w.]+"/.exec(value)?.[0] ?? name) : name;
}

/** Collects the comments of all objects in the sources: of whole objects, and of fields that are spread into many. */
export function fieldComments(sources) {
  const shared = new Map();
  const objects = new Map();
  const found = [...sources.join("\n").matchAll(object)].map(([, isSchema, body]) => ({
    isSchema: isSchema !== undefined,
    fields: [...body.matchAll(field)].map(([, comment, name, value]) => ({ comment, name, value })),
  }));
  for (const { isSchema, fields } of found)
    if (!isSchema) for (const { name, comment } of fields) shared.set(name, comment);
  const key = (fields) =>
    fields
      .filter(({ name }) => !shared.has(name))
      .map(({ name, value }) => named(name, value))
      .sort()
      .join(" ");
  for (const { isSchema, fields } of found)
    if (isSchema) objects.set(key(fields), new Map(fields.map(({ name, comment }) => [name, comment])));
  return {
    key,
    commentOf: (known, name) => objects.get(known)?.get(name) ?? (objects.has(known) ? shared.get(name) : undefined),
  };
}

export function documented(declarations, { key, commentOf }) {
  const lines = declarations.split("\n");
  const comments = new Map();
  const open = [];
  lines.forEach((line, at) => {
    if (/^\s*\}/.test(line)) {
      const fields = open.pop() ?? [];
      for (const { name, at: place } of fields) comments.set(place, commentOf(key(fields), name));
    }
    const [, name, value] = /^\s+(\w+): (.*)/.exec(line) ?? [];
    if (name !== undefined) open.at(-1)?.push({ name, value, at });
    if (line.endsWith("{")) open.push([]);
  });
  return lines
    .flatMap((line, at) => (comments.get(at) === undefined ? [line] : [/^\s*/.exec(line)[0] + comments.get(at), line]))
    .join("\n");
}
