/**
 * Every fenced block of the documentation is checked: commands by the real definitions, TypeScript by the compiler, JSON by its schema,
 * and `console` sessions of the demo agent by running them. `text` is output.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { rules } from "../src/agents/aider/rules.ts";
import { createProgram } from "../src/cli/program.ts";
import { configurationSchema, parseAgentFacts } from "../src/core/config/config-schema.ts";
import { parseFrontMatter } from "../src/core/config/front-matter.ts";
import { changedRules } from "../src/protocols/screen/rules.ts";
import { errorSchema } from "../src/server/schemas/common.ts";
import { parseScenarios } from "../src/testing/scenario.ts";
import { files, read, root } from "./house/source.ts";
import { Place } from "./support/command.ts";
import { commandsIn, wordsOf } from "./support/doc-commands.ts";
import { typeErrorsIn } from "./support/doc-types.ts";

interface Block {
  readonly place: string;
  readonly language: string;
  /** The second word of the fence: what a `json` block is, or where a `ts` block would be in the repository. */
  readonly kind: string;
  readonly code: string;
}

function blocksOf(page: string): Block[] {
  const lines = read(page).split("\n");
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; at++) {
    const fence = /^\s*```(\w*) ?(\S*)$/.exec(lines[at] ?? "");
    if (fence === null) continue;
    const end = lines.findIndex((line, index) => index > at && line.trim() === "```");
    const code = lines.slice(at + 1, end).join("\n");
    blocks.push({ place: `${page}:${at + 1}`, language: fence[1] ?? "", kind: fence[2] ?? "", code });
    at = end;
  }
  return blocks;
}

const pages = [...files("docs"), "README.md", "CONTRIBUTING.md", "SECURITY.md"]
  .filter((file) => file.endsWith(".md") && !file.startsWith("docs/decisions/"))
  .filter((file) => existsSync(join(root, file)));
const blocks = pages.flatMap(blocksOf);
const of = (language: string): Block[] => blocks.filter((block) => block.language === language);

const json: Readonly<Record<string, (value: unknown) => unknown>> = {
  "": (value) => configurationSchema.parse(value),
  response: (value) => errorSchema.parse(value),
  rules: (value) => changedRules(rules, value, "rules.json"),
  scenario: (value) => parseScenarios([value]),
};

test("every block has a language that is checked, or is output (text)", () => {
  const checked = new Set(["sh", "console", "ts", "json", "markdown", "text"]);
  expect(blocks.filter(({ language }) => !checked.has(language)).map(({ place }) => place)).toEqual([]);
  expect(blocks.length).toBeGreaterThan(50);
});

describe("commands", () => {
  beforeAll(() => {
    // Parsing a command line may set this; this file has its own worker.
    process.env["REINS_NO_SERVER"] = "1";
  });

  test.each([...of("sh"), ...of("console")])("$place", async ({ language, code }) => {
    const shown = language === "console" ? code.split("\n").filter((line) => line.startsWith("$ ")) : code.split("\n");
    for (const command of shown.flatMap((line) => commandsIn(line.replace(/^\$ /, "")))) await known(command);
  });
});

const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
/** Programs of others, which are not checked further. */
const others = new Set(["curl", "python", "aider-install", "bash", "git", "head", "rm", "node", "jq"]);

/** Throws where the repository has no such command, script or file. */
async function known([program = "", ...args]: readonly string[]): Promise<void> {
  if (program === "npx") return known(args);
  if (program === "reins") return parsed(args);
  if (program === "npm") {
    const script = args[0] === "run" ? args[1] : args[0];
    if (script !== "ci" && script !== "install" && script !== "pack") expect(scripts).toHaveProperty([script ?? ""]);
  } else if (!others.has(program) && program !== "vitest" && program !== "oxfmt")
    expect([program, existsSync(join(root, program))]).toEqual([program, true]);
  const named = args.filter((word) => /^(?:test|src|scripts|bench|examples)\//.test(word) && !word.includes("gofer"));
  expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([]);
}

async function parsed(words: readonly string[]): Promise<void> {
  if (words.length === 0 || words[0] === "help") return;
  const program = await createProgram({ ending: new AbortController().signal, finish: () => undefined });
  const isTui = words[0]?.startsWith("-") === true;
  let ran = false;
  const silence = (command: typeof program): void => {
    command.action(() => void (ran = true));
    command.commands.forEach(silence);
  };
  program.commands.forEach(silence);
  if (words.includes("--help")) return;
  await program.parseAsync(isTui ? ["tui", ...words] : [...words], { from: "user" });
  expect([words, ran]).toEqual([words, true]);
}

test.each(of("json"))("$place is valid", ({ kind, code }) => {
  const validate = json[kind];
  expect(Object.keys(json)).toContain(kind);
  expect(() => validate?.(JSON.parse(code))).not.toThrow();
});

test.each(of("markdown"))("$place is an agent file", async ({ code }) => {
  const { values, lineOf } = await parseFrontMatter(code);
  expect(() => parseAgentFacts(values, lineOf)).not.toThrow();
});

test("every TypeScript block compiles", async () => {
  expect(of("ts").length).toBeGreaterThan(10);
  expect(await typeErrorsIn(of("ts"))).toEqual([]);
});

test.each(of("console"))("$place prints what it shows", async ({ code }) => {
  using place = new Place();
  writeFileSync(join(place.cwd, "hello.txt"), "Helo, world\n");
  const [command = "", ...output] = code.split("\n");
  const words = wordsOf(command.replace(/^\$ (?:npx )?reins /, ""));
  expect(words).toContain("demo");
  const { stdout, stderr } = await place.run(words);
  const printed = new Set([...stdout.split("\n"), ...stderr.split("\n")]);
  expect(output.filter((line) => !printed.has(line))).toEqual([]);
  expect(readFileSync(join(place.cwd, "hello.txt"), "utf8")).toMatch(/^Hell?o, world\n$/);
});
