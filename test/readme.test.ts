/** The README's library example is examples/quickstart.ts, is short, and runs unchanged. */
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Place } from "./support/command.ts";

const execute = promisify(execFile);
const readme = read("../README.md");
const example = /```ts\n([\s\S]+?)```/.exec(readme)?.[1] ?? "";

/** Resolves `reins` to the sources, so that this test needs no build and no installation. */
const fromSource = `import { registerHooks } from "node:module";
registerHooks({ resolve: (name, context, next) => next(name === "reins" ? ${JSON.stringify(new URL("../src/index.ts", import.meta.url).href)} : name, context) });`;

function read(path: string): string {
  return readFileSync(new URL(path, import.meta.url), "utf8");
}

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place[Symbol.dispose]());

async function runExample(text: string): Promise<string> {
  const file = join(place.cwd, "example.ts");
  writeFileSync(file, text);
  const args = ["--import", `data:text/javascript,${encodeURIComponent(fromSource)}`, file];
  const { stdout } = await execute(process.execPath, args, {
    cwd: place.cwd,
    env: { ...place.env, TMPDIR: place.cwd },
  });
  return stdout;
}

describe("the README's example", () => {
  it("is examples/quickstart.ts, in at most 30 lines", () => {
    expect(example).toBe(read("../examples/quickstart.ts"));
    expect(example.trimEnd().split("\n").length).toBeLessThanOrEqual(30);
  });

  it("runs unchanged", async () => {
    const output = await runExample(example);
    expect(output).toContain("Allowed: Write hello.txt");
    expect(output).toContain("+Hello from Reins");
    expect(output).toContain("All done.");
    expect(output).toMatch(/done after 2 tool calls\ngo on later with resume: demo:\S+/);
  });
});

it("runs the example that decides permissions in code", async () => {
  const output = await runExample(read("../examples/approve.ts"));
  expect(output).toContain("allowed by person: go ahead");
  expect(output).toContain("denied by person: Only notes.txt may change.");
  expect(output).toMatch(/changed: \[ '[^']*notes\.txt' \]/);
});

it("runs the example that resumes a session", async () => {
  const output = await runExample(read("../examples/resume.ts"));
  expect(output).toMatch(
    /The first turn\.\nstate: demo:\S+\n> say The second turn, in the same session\.\nThe second turn, in the same session\.\n$/,
  );
});
