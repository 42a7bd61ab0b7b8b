import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { errorTable } from "../../src/events/errors.ts";
import { files, read, root } from "./source.ts";

describe("docs/errors.md", () => {
  const rows = [...read("docs/errors.md").matchAll(/^\| `(\w+)` \| (yes|no) \| (.+?) \| (.+?) \|$/gm)].map((row) => ({
    code: row[1] as string,
    retryable: row[2] === "yes",
    meaning: row[3] as string,
    help: row[4] as string,
  }));

  test("lists exactly the codes of the table, with their meaning", () => {
    const table = Object.entries(errorTable).map(([code, { retryable, meaning }]) => ({ code, retryable, meaning }));
    expect(rows.map(({ code, retryable, meaning }) => ({ code, retryable, meaning }))).toEqual(table);
  });

  test("says for each what to do", () => {
    expect(rows.filter(({ help }) => help.length < 10)).toEqual([]);
  });
});

const pages = [...files("docs"), "README.md", "CONTRIBUTING.md", "CHANGELOG.md"].filter((file) => file.endsWith(".md"));

describe.each(pages)("%s", (page) => {
  test("links only to what is there", () => {
    const links = [...read(page).matchAll(/\]\((?!\w+:|#)([^)#\s]+)/g)].map(([, link]) => link as string);
    expect(links.filter((link) => !existsSync(join(root, dirname(page), link)))).toEqual([]);
  });

  test("names only files that are there", () => {
    const named = [...read(page).matchAll(/`((?:src|test|bench|scripts|docs|examples|bin)\/[\w./-]+)`/g)].map(
      ([, file]) => file as string,
    );
    expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });
});
