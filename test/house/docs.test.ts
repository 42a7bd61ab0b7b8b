import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
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

const pages = [...files("docs"), "README.md", "CONTRIBUTING.md", "CHANGELOG.md"].filter((file) => file.endsWith(".md"));

describe.each(pages)("%s", (page) => {
  test("links only to existing targets", () => {
    const links = [...read(page).matchAll(/\]\((?!\w+:|#)([^)#\s]+)/g)].map(([, link]) => link as string);
    expect(links.filter((link) => !existsSync(join(root, dirname(page), link)))).toEqual([]);
  });

  test("names only existing files", () => {
    const named = [...read(page).matchAll(/`((?:src|test|bench|scripts|docs|examples|bin)\/[\w./-]+)`/g)].map(
      ([, file]) => file as string,
    );
    expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });
});
