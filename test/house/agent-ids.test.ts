import { expect, test } from "vitest";
import { agentEntries } from "../../src/agents/index.ts";
import { files, read, withoutComments } from "./source.ts";

/** Ids that are also English words: they count only when quoted or as part of a name. */
const englishWords: ReadonlySet<string> = new Set(["demo", "cursor", "native", "copilot"]);

/**
 * Words of the vocabulary that are not ids: in `nativeName`, `native` means the agent's own, and a cursor is a position in a list or on a
 * screen.
 */
const established =
  /\b(?:native(?:Name|Mode|Id|Input|_tool)|callNative|nextCursor|cursor[XY]|(?:show|hide|same)Cursor|cursor(?:Row|Column|Up|Down|At|Place|Line|Style|Cell))\b/g;

/** Finds the places where a text refers to an agent by its id. */
function mentions(id: string, text: string): string[] {
  const code = withoutComments(text).replaceAll(established, "");
  const title = id[0]?.toUpperCase() + id.slice(1);
  const patterns = [
    // As a value: "claude", or the beginning of a state or a path.
    new RegExp(`(["'\`])${id}(?:[:/][^"'\`]*)?\\1`, "g"),
    // As part of a name: isClaude, claudeOnly, CLAUDE_KEY.
    new RegExp(`\\b${id}(?=[A-Z_])|[a-z_]${title}(?![a-z])|(?:\\b|_)${id.toUpperCase()}_`, "g"),
    ...(englishWords.has(id) ? [] : [new RegExp(`\\b${id}\\b`, "gi")]),
  ];
  return patterns.flatMap((pattern) => code.match(pattern) ?? []);
}

const elsewhere = [...files("src"), ...files("bin")].filter(
  (file) => !file.startsWith("src/agents/") && !/\.test\.ts$|\/fixtures\//.test(file),
);

/** A family is named after its protocol, and so is the driver. */
const ids = agentEntries.filter(({ family }) => family !== true).map(({ id }) => id);

test.each(ids)("nothing outside the agents' folders refers to %s", (id) => {
  expect(elsewhere.flatMap((file) => mentions(id, read(file)).map((found) => `${file}: ${found}`))).toEqual([]);
});

test("every id has one entry and one folder", () => {
  const ids = agentEntries.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !files("src/agents").includes(`src/agents/${id}/index.ts`))).toEqual([]);
});

test("every entry loads an agent", async () => {
  for (const entry of agentEntries) expect((await entry.load()).createAgent).toBeTypeOf("function");
});

test.each([
  ["demo", 'if (agent === "demo") return', 1],
  ["demo", "state.startsWith('demo:1')", 1],
  ["demo", "const demoOnly = isDemo", 2],
  ["demo", "// the demo agent", 0],
  ["demo", '"Try the demo first."', 0],
  ["demo", "const democracy = 1", 0],
  ["claude", '"Run claude first."', 1],
  ["claude", "env.CLAUDE_HOME", 1],
  ["native", "{ nativeName, nativeMode, callNative }", 0],
  ["native", "if (isNative || nativeOnly) return env.REINS_NATIVE_KEY", 3],
  ["native", 'agent === "native" || state.startsWith("native:1:")', 2],
])("finds %s in %s %i times", (id, text, count) => {
  expect(mentions(id, text)).toHaveLength(count);
});
