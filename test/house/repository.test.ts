import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { files, read, root } from "./source.ts";

/** The files that git would publish; without git, all files. */
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

/** Text files: bytes of a picture could match by chance. */
const texts = published()
  .filter((file) => !file.endsWith(".png"))
  .map((file) => ({ file, text: read(file) }));

function places(pattern: RegExp): string[] {
  return texts.flatMap(({ file, text }) => (text.match(pattern) ?? []).map((found) => `${file}: ${found}`));
}

describe("no file contains", () => {
  // Split in two parts, so that this file does not match.
  test("a path of the author's machine", () => {
    expect(places(new RegExp(`/${"wo"}rk/(?:main|shared|\\.)\\S*|/${"ro"}ot/\\S+|/tmp/${"set"}up\\S*`, "g"))).toEqual(
      [],
    );
  });

  test("the address of a package registry", () => {
    expect(places(new RegExp(`https?://[\\w.-]*${"regi"}stry[\\w.-]*\\.\\w+\\S*`, "g"))).toEqual([]);
  });

  test("a marker for unplanned work", () => {
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

  test("requires the same Node as the command", () => {
    const [, major, minor] = /needed = inClone \? \[\d+, \d+\] : \[(\d+), (\d+)\]/.exec(read("bin/reins.js")) ?? [];
    expect(engines.node).toBe(`>=${major}.${minor}`);
  });
});

test("the hosted CI runs .ci/run and needs no secret", () => {
  const workflow = read(".github/workflows/ci.yml");
  expect(workflow).toContain("- run: .ci/run\n");
  expect(workflow).not.toMatch(/secrets\.|npm (?:ci|test|run)/);
});
