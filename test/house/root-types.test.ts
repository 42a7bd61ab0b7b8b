/** The types of the root entry: every type that Reins returns or takes is exported, and nothing else. */
import { dirname, posix } from "node:path";
import { expect, test } from "vitest";
import { read, withoutComments } from "./source.ts";

interface Module {
  readonly declared: ReadonlyMap<string, { readonly text: string; readonly exported: boolean }>;
  /** Imported or re-exported names, by their local name. */
  readonly imported: ReadonlyMap<string, { readonly file: string; readonly name: string }>;
}

const modules = new Map<string, Module>();

/** Relies on the formatter: a declaration starts at the beginning of a line and ends with `}` or `;` at the end of one. */
function moduleAt(file: string): Module {
  const known = modules.get(file);
  if (known !== undefined) return known;
  const code = withoutComments(read(file));
  const declared = new Map<string, { text: string; exported: boolean }>();
  const declaration = /^(export )?(?:interface (\w+)[^{]*\{(?:\}|[\s\S]*?^\})|type (\w+)[\s\S]*?;$(?!\n[ }]))/gm;
  for (const [text, exported, interfaceName, typeName] of code.matchAll(declaration))
    declared.set(interfaceName ?? typeName!, { text, exported: exported !== undefined });
  const imported = new Map<string, { file: string; name: string }>();
  for (const [, names = "", from = ""] of code.matchAll(/^(?:import|export)(?: type)? \{([^}]*)\} from "(\.[^"]+)"/gm))
    for (const part of names.split(",").map((name) => name.trim().replace(/^type /, ""))) {
      const [name = "", here = name] = part.split(" as ");
      if (name !== "") imported.set(here, { file: posix.join(dirname(file), from), name });
    }
  const found = { declared, imported };
  modules.set(file, found);
  return found;
}

/** The exported types that a declaration refers to, directly or indirectly, including itself. */
function reachable(roots: readonly [file: string, name: string][], opaque: ReadonlySet<string>): ReadonlySet<string> {
  const visited = new Set<string>();
  const names = new Set<string>();
  function visit(file: string, name: string): void {
    const { declared, imported } = moduleAt(file);
    const here = declared.get(name);
    const elsewhere = imported.get(name);
    if (here === undefined) return elsewhere === undefined ? undefined : visit(elsewhere.file, elsewhere.name);
    if (visited.has(`${file} ${name}`) || opaque.has(name)) return;
    visited.add(`${file} ${name}`);
    if (here.exported) names.add(name);
    for (const [used] of here.text.matchAll(/(?<!["'.\w-])[A-Z]\w*/g)) visit(file, used);
  }
  for (const [file, name] of roots) visit(file, name);
  return names;
}

/** Exported with all its parts by `reins/store`. */
const ofTheStore = new Set(["Store"]);

const wanted = reachable(
  [
    ["src/core/api.ts", "Reins"],
    ["src/core/api.ts", "ReinsOptions"],
  ],
  ofTheStore,
);

/** Values, and the types of what they hold or throw. */
const values = ["createReins", "errorTable", "isReinsError", "modes", "ReinsError"];
/** Names for parts of events: the events are inferred from schemas, which do not name them. */
const partsOfEvents = [
  ...["AttachmentRef", "Content", "ErrorInfo", "Location", "PermissionOption", "PlanEntry"],
  ...["Question", "TaskStatus", "ToolOutput"],
];

const exported = [...moduleAt("src/index.ts").imported.keys()];

test("follows types through other files and through types that are not exported", () => {
  expect(wanted.size).toBeGreaterThan(100);
  for (const name of ["Session", "TurnResult", "StoredSession", "Capabilities", "Attachment", "Child"])
    expect(wanted).toContain(name);
  expect(wanted).not.toContain("AttachedPath");
});

test("every type that Reins returns or takes is exported from the root", () => {
  expect([...wanted].filter((name) => !exported.includes(name))).toEqual([]);
});

test("the root exports nothing else", () => {
  const known = new Set([...wanted, ...values, ...partsOfEvents]);
  expect(exported.filter((name) => !known.has(name))).toEqual([]);
});

test("every name in partsOfEvents is declared by the event types", () => {
  const inEvents = [...moduleAt("src/events/types.ts").declared, ...moduleAt("src/events/errors.ts").declared];
  const names = inEvents.map(([name]) => name);
  expect(partsOfEvents.filter((name) => !names.includes(name))).toEqual([]);
});
