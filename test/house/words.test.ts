/** One word means one thing: names and documentation use the words of docs/glossary.md and no synonyms of them. */
import { describe, expect, test } from "vitest";
import { markdownPages } from "../../scripts/lib/links.ts";
import { files, read, root } from "./source.ts";

/** Words that no file, type or function is named by, and what to write instead. */
const notInNames: Readonly<Record<string, string>> = {
  harness: "agent",
  backend: "agent",
  provider: "agent, or the service of a model",
  adapter: "agent or protocol",
  cli: "agent, or the `reins` command",
  aftermath: "after-turn",
  breath: "the next tick",
  brought: "import result",
  desk: "permission prompts, turn context or router",
  doings: "side effects",
  fate: "outcome",
  furniture: "home files",
  glance: "summary",
  handover: "handoff or switch",
  hearing: "agent events",
  intake: "ingest",
  knock: "health check",
  murder: "kill",
  openness: "expanded rows",
  overtaking: "message order",
  rehearsal: "compile ahead",
  remark: "notice",
  shelf: "index",
  sleeper: "idle session",
  sought: "search target",
  stray: "unexpected",
  surroundings: "environment",
  survivable: "failure action",
  warmth: "pool options",
};

/** Fine as a verb, too vague as the name of a file or a type. */
const notInTypes: Readonly<Record<string, string>> = { told: "what was reported", hears: "what was received" };

/** Words that the documentation does not use outside of code. */
const notInDocs: readonly RegExp[] = [
  /\b(?:harness(?:es)?|backends?|adapters?)\b/gi,
  /\b(?:coding|agent|AI) CLIs?\b|\bCLIs\b/g,
  /\b(?:aftermath|breath|desk|doings|fate|furniture|handover|hearing|intake|murder|openness|rehearsal|sleepers?|surroundings|warmth)\b/gi,
];

/** Legitimate uses: a file, a word, and why. */
const allowed: readonly { readonly file: RegExp; readonly word: RegExp; readonly why: string }[] = [
  { file: /^src\/agents\/claude-acp\//, word: /^cli$/, why: "the option `--cli` of that program" },
  { file: /^src\/agents\/codex\//, word: /^provider$/, why: "Codex's own configuration has `model_providers`" },
  { file: /^docs\/cursor\.md$/, word: /^agent CLI$/, why: "a title that is quoted" },
  { file: /^docs\/glossary\.md$/, word: /./, why: "the list of words that are not used" },
];

const isAllowed = (file: string, word: string): boolean =>
  allowed.some((entry) => entry.file.test(file) && entry.word.test(word));

const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, " ")
    .toLowerCase()
    .split(/[^a-z]+/);

const declared =
  /\b(?<keyword>function\*?|class|interface|type|enum) (?<type>\w+)|\bconst (?<arrow>\w+)(?:: [^=\n]+)? = (?:async )?(?:\([^)\n]*\)|\w+)(?:: [^=\n]+)? =>/g;

const sources = ["src", "test", "scripts", "bench", "examples"]
  .flatMap(files)
  .filter((file) => !/fixtures?\//.test(file));

interface Name {
  readonly file: string;
  readonly name: string;
  readonly isType: boolean;
}

function namesIn(file: string): Name[] {
  const base = file.slice(file.lastIndexOf("/") + 1).replace(/\..*/, "");
  const own = { file, name: base, isType: true };
  if (!/\.[jt]sx?$/.test(file)) return [own];
  const inside = [...read(file).matchAll(declared)].map(({ groups = {} }) => ({
    file,
    name: groups["type"] ?? groups["arrow"] ?? "",
    isType: /class|interface|type|enum/.test(groups["keyword"] ?? ""),
  }));
  return [own, ...inside];
}

test("files, types and functions are named in the words of the glossary", () => {
  const wrong = sources.flatMap(namesIn).flatMap(({ file, name, isType }) =>
    wordsOf(name)
      .map((word) => [word, notInNames[word] ?? (isType ? notInTypes[word] : undefined)] as const)
      .filter(([word, instead]) => instead !== undefined && !isAllowed(file, word))
      .map(([word, instead]) => `${file}: ${name} says "${word}"; write ${instead}`),
  );
  expect(wrong).toEqual([]);
});

const pages = markdownPages(root);

/** Code and addresses keep their own words. */
const prose = (text: string): string => text.replaceAll(/^```[\s\S]*?^```|`[^`\n]*`|\]\([^)]*\)|https?:\S+/gm, "");

test("the documentation uses the words of the glossary", () => {
  const wrong = pages.flatMap((file) =>
    notInDocs
      .flatMap((pattern) => prose(read(file)).match(pattern) ?? [])
      .filter((word) => !isAllowed(file, word))
      .map((word) => `${file}: ${word}`),
  );
  expect(wrong).toEqual([]);
});

describe("docs/glossary.md", () => {
  const page = read("docs/glossary.md");
  const words = [...page.split("## Words that are not used")[0]!.matchAll(/^\| ([^|]+) \| /gm)].flatMap(([, cell]) =>
    (cell as string).split(", "),
  );

  test("defines each word once", () => {
    const defined = words.filter((word) => word !== "word" && word !== "---");
    expect(defined.filter((word, at) => defined.indexOf(word) !== at)).toEqual([]);
  });

  test.each([
    ...["agent", "protocol", "session", "leg", "turn", "event", "request", "policy", "route", "switch", "handoff"],
    ...["briefing", "trust", "sandbox", "guardian", "ledger", "mode", "capability", "contract"],
  ])("defines %s", (word) => expect(words).toContain(word));
});
