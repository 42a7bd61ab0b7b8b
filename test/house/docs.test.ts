import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { brokenLinks, markdownPages } from "../../scripts/lib/links.ts";
import { agentEntries } from "../../src/agents/index.ts";
import { errorTable } from "../../src/events/errors.ts";
import { reinsEventSchema } from "../../src/events/schema/index.ts";
import { tools } from "../../src/events/tools.ts";
import { files, read, root } from "./source.ts";

describe("docs/errors.md", () => {
  const rows = [...read("docs/errors.md").matchAll(/^\| `(\w+)` \| (yes|no) \| (.+?) \| (.+?) \|$/gm)].map((row) => ({
    code: row[1] as string,
    retryable: row[2] === "yes",
    meaning: row[3] as string,
    help: row[4] as string,
  }));

  test("lists exactly the codes of the table with their meaning", () => {
    const table = Object.entries(errorTable).map(([code, { retryable, meaning }]) => ({ code, retryable, meaning }));
    expect(rows.map(({ code, retryable, meaning }) => ({ code, retryable, meaning }))).toEqual(table);
  });

  test("says for each code what to do", () => {
    expect(rows.filter(({ help }) => help.length < 10)).toEqual([]);
  });
});

describe("docs/events.md", () => {
  const page = read("docs/events.md");
  const rows = new Map(
    [...page.matchAll(/^\| `([a-z.]+)` \| .+ \| (.+) \|$/gm)].map(([, type, fields]) => [type, fields]),
  );
  const everywhere = ["v", "seq", "time", "sessionId", "turnId", "agent", "type", "parent", "synthetic", "raw"];

  test("lists exactly the public events and their fields", () => {
    const events = reinsEventSchema.options.map(({ shape }): [string, string] => {
      const own = Object.entries(shape).filter(([name]) => !everywhere.includes(name));
      // An input may be any value, which zod reports as optional.
      const optional = (name: string, field: { isOptional(): boolean }) => name !== "input" && field.isOptional();
      return [shape.type.value, own.map(([name, field]) => `\`${name}${optional(name, field) ? "?" : ""}\``).join(" ")];
    });
    const written = [...rows].map(([type, fields]) => [type, fields?.replace("`input?`", "`input`")]);
    expect(new Map(written as [string, string][])).toEqual(new Map(events));
  });

  test("names every tool, and the fields of every event", () => {
    expect(tools.filter((tool) => !page.includes(`\`${tool}\``))).toEqual([]);
    expect(everywhere.filter((field) => !new RegExp(`\`${field}\\??\``).test(page))).toEqual([]);
  });
});

describe("docs/architecture.md", () => {
  const table = read("docs/architecture.md").split("## Where is ...?")[1]?.split("\n## ")[0] ?? "";
  const answers = [...table.matchAll(/^\| (.+\?) \| (.+) \|$/gm)].map(([, , answer]) => answer as string);

  test("answers at least twenty questions with names of existing files", () => {
    expect(answers.length).toBeGreaterThanOrEqual(20);
    const named = answers.map((answer) =>
      [...answer.replaceAll("<agent>", "claude").matchAll(/`([a-z][\w-]*\/[\w./-]*)`/g)].map(
        ([, file]) => file as string,
      ),
    );
    expect(named.flat().length).toBeGreaterThan(30);
    expect(answers.filter((_, index) => named[index]?.length === 0)).toEqual([]);
    expect(named.flat().filter((file) => !existsSync(join(root, "src", file)))).toEqual([]);
  });
});

describe("docs/security.md", () => {
  const page = read("docs/security.md");
  const rowsOf = (heading: string): string[][] => {
    const section = page.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
    const lines = section.split("\n").filter((line) => line.startsWith("| "));
    return lines.slice(2).map((line) => line.slice(2, -2).split(" | "));
  };

  test.each(["Permissions", "Processes, files and secrets"])(
    "labels each promise of %s and names its test",
    (heading) => {
      const rows = rowsOf(heading);
      expect(rows.length).toBeGreaterThan(3);
      expect(rows.filter(([, label = ""]) => !/^(?:wall|seat belt)\b/.test(label))).toEqual([]);
      expect(rows.filter((row) => !/`[\w./-]+\.test\.ts`/.test(row.at(-1) ?? ""))).toEqual([]);
    },
  );

  test("names the test of each answer of the server", () => {
    const rows = rowsOf("The server");
    expect(rows.length).toBeGreaterThan(15);
    expect(rows.filter((row) => !/`[\w./-]+\.test\.ts`/.test(row.at(-1) ?? ""))).toEqual([]);
  });
});

describe("the pages of agents", () => {
  const headings = ["Install", "Sign in", "Variables", "Example", "Modes", "What it cannot do"];

  test.each(files("docs/agents"))("%s has the headings that every page has, in their order", (page) => {
    const found = [...read(page).matchAll(/^## (.+)$/gm)].map(([, heading]) => heading as string);
    expect(found.slice(0, headings.length)).toEqual(headings);
  });

  test.each(agentEntries.filter(({ builtIn, family }) => builtIn !== true && family !== true))(
    "docs/agents/$id.md names the minimal version and how to install it",
    async ({ id }) => {
      const file = join(root, "src/agents", id, "program.ts");
      if (!existsSync(file)) return;
      const { program } = (await import(file)) as { program?: { installHelp?: string; minimalVersion?: string } };
      const command = /`([^`]+)`/.exec(program?.installHelp ?? "")?.[1] ?? "";
      const page = read(`docs/agents/${id}.md`);
      expect([command, program?.minimalVersion ?? ""].filter((fact) => !page.includes(fact))).toEqual([]);
    },
  );
});

const pages = markdownPages(root);

describe.each(pages)("%s", (page) => {
  test("links only to existing targets", () => {
    expect(brokenLinks(root, page)).toEqual([]);
  });

  test("names only existing files", () => {
    const named = [...read(page).matchAll(/`((?:src|test|bench|scripts|docs|examples|bin)\/[\w./-]+)`/g)].map(
      ([, file]) => file as string,
    );
    expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });
});
