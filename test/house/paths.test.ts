import { describe, expect, test } from "vitest";
import { read, sources, withoutComments } from "./source.ts";

/** Where a path is made relative, and nothing is decided by it: it is shown, or names are listed. */
const display: readonly string[] = [
  "src/agents/shared/history/files.ts",
  "src/cli/render/table.ts",
  "src/web/composer/folder-field.tsx",
  "src/web/panels/session-panel.tsx",
];
/** Prefixes of names that are no paths. */
const names: readonly string[] = [
  "src/testing/wire/archive.ts",
  "src/agents/native/manage.ts",
  "src/agents/pi/models.ts",
];

const comparisons: readonly RegExp[] = [
  // `relative` of node:path, under whatever name.
  /import\s*\{[^}]*\brelative\b[^}]*\}\s*from\s*"(?:node:)?path(?:\/\w+)?"/,
  /\bpath\.relative\(/,
  // A path that is compared with a folder and a slash.
  /\.startsWith\(\s*`[^`]*(?:\$\{sep\}|[/\\])`\s*[,)]/,
  /\.startsWith\([^\n]*\+\s*(?:sep|"\/")\s*\)/,
  // A way that leads up.
  /\.startsWith\("\.\.[/"\\]/,
];

const compares = (code: string): boolean => comparisons.some((pattern) => pattern.test(withoutComments(code)));

test("only workspace/ decides where a path lies", () => {
  const outside = sources().filter((file) => !/^src\/(?:workspace|testing\/stand-ins)\//.test(file));
  expect(outside.filter((file) => compares(read(file)) && ![...display, ...names].includes(file))).toEqual([]);
});

test("the exceptions are still there", () => {
  expect([...display, ...names].filter((file) => !compares(read(file)))).toEqual([]);
});

describe("what counts as a comparison", () => {
  test.each([
    'import { join, relative } from "node:path";',
    'import { relative as from } from "node:path/posix";',
    "path.startsWith(`${folder}${sep}`)",
    "path.startsWith(`${folder}/`)",
    "path.startsWith(resolve(folder) + sep)",
    'way.startsWith("../")',
    'way.startsWith("..")',
  ])("%s", (code) => expect(compares(code)).toBe(true));

  test.each(['import { join } from "node:path";', "text.startsWith(`${id}:`)", 'path.startsWith("/")'])(
    "not %s",
    (code) => expect(compares(code)).toBe(false),
  );
});
