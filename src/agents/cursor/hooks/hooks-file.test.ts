import { parse } from "jsonc-parser";
import { describe, expect, test } from "vitest";
import { fc } from "../../../../test/support/fast-check.ts";
import { commandsIn, withEntries, withoutEntries } from "./hooks-file.ts";

const ours = (event: string) => ({
  event,
  command: `/x/reins-hook.sh ${event}`,
  timeout: 305,
  failClosed: true as const,
});
const entries = [ours("preToolUse"), ours("stop")];
const isOurs = (command: string): boolean => command.startsWith("/x/reins-hook.sh");

describe("entries in a hooks file", () => {
  test("are put before the user's own, which keep their formatting", () => {
    const theirs = `\uFEFF{\r\n\t"version": 1, // mine\r\n\t"hooks": {\r\n\t\t/* { } */ "stop": [ { "command": "./a.sh" }, ],\r\n\t}\r\n}\r\n`;
    const both = withEntries(theirs, entries);
    expect(commandsIn(both)).toEqual([
      { event: "preToolUse", command: "/x/reins-hook.sh preToolUse" },
      { event: "stop", command: "/x/reins-hook.sh stop" },
      { event: "stop", command: "./a.sh" },
    ]);
    expect(parse(both.slice(1))).toMatchObject({
      version: 1,
      hooks: { preToolUse: [{ command: "/x/reins-hook.sh preToolUse", timeout: 305, failClosed: true }] },
    });
    for (const line of theirs.split("\r\n")) if (!/stop|hooks/.test(line)) expect(both).toContain(line);
    expect(withoutEntries(both, isOurs)).toBe(theirs);
  });

  test("create a missing file, and removing the entries removes that file", () => {
    const made = withEntries(undefined, entries);
    expect(JSON.parse(made)).toMatchObject({ version: 1, hooks: { stop: [{ timeout: 305 }] } });
    expect(withoutEntries(made, isOurs)).toBeUndefined();
  });

  test.each([
    '{"version":1}',
    "{}",
    '{"hooks":{}}',
    '{"hooks":{"stop":[]}}',
    '{"hooks":{"stop":[/* none */]},"version":1,}',
    '{"hooks":1,"hooks":{"stop":[{"command":"x"}]}}',
  ])("are added to and removed from %s", (theirs) => {
    const both = withEntries(theirs, entries);
    expect(commandsIn(both)?.filter(({ command }) => isOurs(command))).toHaveLength(2);
    const left = withoutEntries(both, isOurs) ?? "";
    expect(commandsIn(left)).toEqual(commandsIn(theirs));
  });

  test.each([
    "",
    "not json",
    "[]",
    "null",
    '{"hooks":[]}',
    '{"hooks":{"stop":{}}}',
    '{"a":1}}',
    "{'a':1}",
    "{/*",
    "{".repeat(200),
    `{"hooks":${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
  ])("are not added to %s", (text) => {
    expect(() => withEntries(text, entries)).toThrow(/left unchanged/);
  });

  test("are found and removed after a person or a formatter rewrote the file, and others stay", () => {
    const anew = JSON.stringify(
      {
        version: 1,
        hooks: {
          stop: [{ command: "./a.sh" }, ours("stop"), ours("stop")],
          preToolUse: [ours("preToolUse")],
          preCompact: [ours("x"), { command: "./b.sh" }],
          sessionEnd: [],
        },
      },
      null,
      2,
    );
    const left = withoutEntries(anew, isOurs) ?? "";
    expect(JSON.parse(left)).toEqual({
      version: 1,
      hooks: { stop: [{ command: "./a.sh" }], preCompact: [{ command: "./b.sh" }], sessionEnd: [] },
    });
    expect(withoutEntries(left, isOurs)).toBe(left);
    expect(withoutEntries("{ broken", isOurs)).toBe("{ broken");
    expect(commandsIn("{ broken")).toBeUndefined();
  });

  test("leave the rest of the file unchanged byte for byte", () => {
    const filler = fc.constantFrom("", " ", "\t", "\r\n", "\n\n", "// c\n", "/* ] } , */");
    const entry = fc
      .record({ command: fc.string(), matcher: fc.string(), timeout: fc.nat() })
      .map((it) => JSON.stringify(it));
    const list = fc.tuple(filler, fc.array(entry, { minLength: 1, maxLength: 3 }), filler, fc.boolean());
    const member = fc
      .tuple(fc.constantFrom("stop", "preToolUse", "preCompact", "nobody knows"), list)
      .map(
        ([name, [a, all, b, comma]]) =>
          `${JSON.stringify(name)}:${a}[${b}${all.join(`${a},${b}`)}${comma ? "," : ""}${a}]`,
      );
    const file = fc
      .tuple(filler, fc.array(member, { maxLength: 4 }), filler, fc.boolean())
      .map(
        ([a, all, b, comma]) =>
          `${a}{${b}"version":1,${a}"hooks":{${b}${all.join(",")}${comma && all.length > 0 ? "," : ""}${a}}${b}}${a}`,
      );
    fc.assert(
      fc.property(file, (theirs) => {
        const both = withEntries(theirs, entries);
        expect(commandsIn(both)?.length).toBe((commandsIn(theirs)?.length ?? 0) + 2);
        expect(withoutEntries(both, isOurs)).toBe(theirs);
      }),
    );
  });
});
