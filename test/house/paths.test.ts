import { describe, expect, test } from "vitest";
import { read, sources, withoutComments } from "./source.ts";

/** Files that make a path relative only to show it or to list names, without deciding by it. */
const display: readonly string[] = [
  "src/agents/shared/history/files.ts",
  "src/cli/render/table.ts",
  "src/web/composer/folder-field.tsx",
  "src/web/panels/session-panel.tsx",
];
/** Files that compare prefixes of names which are not paths. */
const names: readonly string[] = [
  "src/testing/wire/archive.ts",
  "src/agents/native/manage.ts",
  "src/agents/pi/models.ts",
];

const comparisons: readonly RegExp[] = [
  // `relative` of node:path, under any name.
  /import\s*\{[^}]*\brelative\b[^}]*\}\s*from\s*"(?:node:)?path(?:\/\w+)?"/,
  /\bpath\.relative\(/,
  // A path compared with a folder and a slash.
  /\.startsWith\(\s*`[^`]*(?:\$\{sep\}|[/\\])`\s*[,)]/,
  /\.startsWith\([^\n]*\+\s*(?:sep|"\/")\s*\)/,
  // A relative path that leads up.
  /\.startsWith\("\.\.[/"\\]/,
];

const compares = (code: string): boolean => comparisons.some((pattern) => pattern.test(withoutComments(code)));

test("only workspace/ decides whether a path is inside a folder", () => {
  const outside = sources().filter((file) => !/^src\/(?:workspace|testing\/stand-ins)\//.test(file));
  expect(outside.filter((file) => compares(read(file)) && ![...display, ...names].includes(file))).toEqual([]);
});

test("every listed exception is still needed", () => {
  expect([...display, ...names].filter((file) => !compares(read(file)))).toEqual([]);
});

describe("a comparison of paths", () => {
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
