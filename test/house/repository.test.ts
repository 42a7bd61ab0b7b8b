import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { files, read, root } from "./source.ts";

/** What git would publish; without git, all there is. */
function published(): string[] {
  try {
    const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
      cwd: root,
      encoding: "utf8",
    });
    return listed.split("\0").filter((file) => file !== "" && existsSync(join(root, file)));
  } catch {
    return files();
  }
}

/** The letters in a picture mean nothing. */
const texts = published()
  .filter((file) => !file.endsWith(".png"))
  .map((file) => ({ file, text: read(file) }));

/** Where a pattern stands, for a message that helps. */
function places(pattern: RegExp): string[] {
  return texts.flatMap(({ file, text }) => (text.match(pattern) ?? []).map((found) => `${file}: ${found}`));
}

describe("no file names", () => {
  // Written in two parts, so that this file is not one of them.
  test("a path of the machine it was written on", () => {
    expect(places(new RegExp(`/${"wo"}rk/(?:main|shared|\\.)\\S*|/${"ro"}ot/\\S+|/tmp/${"set"}up\\S*`, "g"))).toEqual(
      [],
    );
  });

  test("a host that packages come from", () => {
    expect(places(new RegExp(`https?://[\\w.-]*${"regi"}stry[\\w.-]*\\.\\w+\\S*`, "g"))).toEqual([]);
  });

  test("a work that nobody planned", () => {
    expect(places(new RegExp(`\\b(?:${"TO"}DO|${"FIX"}ME|${"XX"}X)\\b`, "g"))).toEqual([]);
  });
});

interface Package {
  readonly engines: { readonly node: string };
  readonly dependencies: Record<string, string>;
  readonly devDependencies: Record<string, string>;
  readonly overrides: Record<string, string>;
}

describe("package.json", () => {
  const { engines, overrides, ...needed } = JSON.parse(read("package.json")) as Package;
  const { dependencies, devDependencies } = needed;

  test("pins exact versions", () => {
    const loose = Object.entries({ ...dependencies, ...devDependencies, ...overrides }).filter(
      ([, version]) => !/^\d+\.\d+\.\d+$/.test(version),
    );
    expect(loose).toEqual([]);
  });

  test("asks for the Node that the command asks for", () => {
    const [, major, minor] = /needed = inClone \? \[\d+, \d+\] : \[(\d+), (\d+)\]/.exec(read("bin/reins.js")) ?? [];
    expect(engines.node).toBe(`>=${major}.${minor}`);
  });
});
