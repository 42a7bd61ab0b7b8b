import { describe, expect, test } from "vitest";
import { fc } from "../../../test/support/fast-check.ts";
import { FileIndex } from "./file-index.ts";
import { candidate, fuzzyTop, query, score } from "./fuzzy.ts";

describe("ranks first", () => {
  test.each<[string, string, string[]]>([
    ["the name before the folder", "model", ["src/model.ts", "model/src/b.ts"]],
    ["the start of a name before its middle", "edit", ["src/editor.ts", "src/credit.ts"]],
    ["starts of words", "fi", ["src/file-index.ts", "src/profile.ts"]],
    ["camel humps", "fi", ["src/FileIndex.ts", "src/profiles.ts"]],
    ["starts of segments", "ste", ["src/tui/editor.ts", "src/latest-events.ts"]],
    ["a run before scattered letters", "main", ["src/main.ts", "src/my-agent-in.ts"]],
    ["the shorter path", "main", ["main.ts", "src/main.ts", "src/cli/main.ts"]],
    ["the whole name", "key", ["src/key.ts", "src/keys.ts", "a/keyboard.ts"]],
    ["a path as it is", "cli/main", ["src/cli/main.ts", "src/cli/commands/main.ts"]],
  ])("%s", (_, pattern, expected) => {
    expect(fuzzyTop([...expected].reverse(), pattern, 10).map(({ text }) => text)).toEqual(expected);
  });
});

test("is case-sensitive only with capitals in the query", () => {
  const texts = ["readme.md", "README.md"];
  expect(fuzzyTop(texts, "readme", 5)).toHaveLength(2);
  expect(fuzzyTop(texts, "README", 5).map(({ text }) => text)).toEqual(["README.md"]);
});

test("ignores blanks in the query; an empty query keeps the list", () => {
  expect(fuzzyTop(["src/cli/main.ts"], "cli main", 5)).toHaveLength(1);
  expect(fuzzyTop(["b", "a", "c"], "", 2).map(({ text }) => text)).toEqual(["b", "a"]);
});

test("matches exactly the subsequences, with the positions of the query's letters", () => {
  const text = fc.string({ unit: fc.constantFrom(...Array.from("abcAB/-. 1é漢")), maxLength: 20 });
  const pattern = fc.string({ unit: fc.constantFrom(...Array.from("abcA/1é漢")), minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(text, pattern, (value, wanted) => {
      const fold = (each: string): string => (/[A-Z]/.test(wanted) ? each : each.toLowerCase());
      let at = -1;
      const matches = Array.from(wanted).every((letter) => (at = fold(value).indexOf(letter, at + 1)) !== -1);
      const match = score(candidate(value), query(wanted));
      expect(match !== undefined).toBe(matches);
      const { positions = [] } = match ?? {};
      expect(positions.every((each, index) => index === 0 || each > (positions[index - 1] as number))).toBe(true);
      expect(positions.map((each) => fold(value).charAt(each)).join("")).toBe(matches ? wanted : "");
    }),
  );
});

describe("file index", () => {
  const paths = Array.from({ length: 3000 }, (_, index) => `src/${index % 7}/part-${index}.ts`);
  const listing = (batches: readonly (readonly string[])[]) =>
    async function* () {
      yield* batches;
    };
  const found = async (index: FileIndex, pattern: string): Promise<readonly string[]> =>
    (await index.search(pattern, 5))?.matches.map(({ text }) => text) ?? ["aborted"];

  test("finds files and their folders, each once", async () => {
    const index = new FileIndex({ list: listing([["src/a/b.ts", "src/a/c.ts"], ["src/a/b.ts"]]) });
    await index.refresh();
    expect([index.size, index.complete]).toEqual([4, true]);
    expect(await found(index, "a")).toEqual(["src/a/", "src/a/b.ts", "src/a/c.ts"]);
  });

  test("gives the same result as a fresh index for a growing, shrinking or changed query", async () => {
    const index = new FileIndex({ list: listing([paths]) });
    await index.refresh();
    for (const pattern of ["p", "pa", "par1", "par12", "par1", "S", "src/3", "src/31", "", "part-299", "P"]) {
      const fresh = new FileIndex({ list: listing([paths]) });
      await fresh.refresh();
      expect([pattern, await found(index, pattern)]).toEqual([pattern, await found(fresh, pattern)]);
    }
  });

  test("pauses after each slice, and can be aborted then", async () => {
    let clock = 0;
    let pauses = -Infinity;
    const abort = new AbortController();
    const pause = async (): Promise<void> => {
      pauses++;
      if (pauses === 3) abort.abort();
    };
    const index = new FileIndex({ list: listing([paths]), now: () => (clock += 10), pause });
    await index.refresh();
    pauses = 0;
    expect(await index.search("p", 5, { signal: abort.signal })).toBeUndefined();
    expect(pauses).toBe(3);
    expect(await found(index, "part-2999")).toEqual(["src/3/part-2999.ts"]);
  });

  test("reports candidates that contain the query before it rates scattered matches", async () => {
    const index = new FileIndex({ list: listing([["a-needle.ts", "nice-entry-e-dl-e.ts", "other.ts"]]) });
    await index.refresh();
    const early: string[][] = [];
    const found = await index.search("needle", 5, { early: (matches) => early.push(matches.map(({ text }) => text)) });
    expect(early).toEqual([["a-needle.ts"]]);
    expect(found?.matches.map(({ text }) => text)).toEqual(["a-needle.ts", "nice-entry-e-dl-e.ts"]);
  });

  test("reports intermediate matches once in a long search", async () => {
    let clock = 0;
    const index = new FileIndex({ list: listing([paths]), now: () => (clock += 10), pause: async () => undefined });
    await index.refresh();
    const early: number[] = [];
    const found = await index.search("p", 5_000, { early: (matches) => early.push(matches.length) });
    expect(early).toHaveLength(1);
    expect(early[0]).toBeLessThan(found?.matches.length ?? 0);
  });

  test("finds the files known so far while the list is read", async () => {
    let go = (): void => undefined;
    const wait = new Promise<void>((resolve) => (go = resolve));
    const index = new FileIndex({
      list: async function* () {
        yield ["first.ts"];
        await wait;
        yield ["second.ts"];
      },
    });
    const done = index.refresh();
    await new Promise((resolve) => setImmediate(resolve));
    expect(await index.search("ts", 5)).toMatchObject({ complete: false, matches: [{ text: "first.ts" }] });
    go();
    await done;
    expect(await found(index, "ts")).toEqual(["first.ts", "second.ts"]);
  });

  test("keeps the old list until the new one is complete, and after a failure", async () => {
    const lists = [["old.ts"], ["new.ts"]];
    let fail = false;
    const index = new FileIndex({
      list: async function* () {
        if (fail) throw new Error("gone");
        yield lists.shift() ?? [];
      },
    });
    await index.refresh();
    const again = index.refresh();
    expect(await found(index, "old")).toEqual(["old.ts"]);
    await again;
    expect(await found(index, "ts")).toEqual(["new.ts"]);
    fail = true;
    await index.refresh();
    expect(await found(index, "ts")).toEqual(["new.ts"]);
  });
});
