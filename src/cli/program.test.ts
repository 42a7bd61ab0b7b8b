import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Place } from "../../test/support/command.ts";
import { help } from "./commands/help.ts";
import { createProgram } from "./program.ts";
import { exitCodes } from "./exit-codes.ts";

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place[Symbol.dispose]());

describe("help", () => {
  it("shows three examples before the commands", async () => {
    const bare = await place.run([]);
    expect(bare).toMatchObject({ code: 0, stderr: "" });
    expect(bare.stdout).toMatch(
      /reins tour[\s\S]+reins agents[\s\S]+reins run "[\s\S]+Commands:[\s\S]+run [\s\S]+agents [\s\S]+tour /,
    );
    expect(await place.run(["--help"])).toEqual(bare);
    expect(await place.run(["help"])).toEqual(bare);
    expect(await place.run(["help", "--help"])).toEqual(bare);
    expect(await place.run(["help", "run"])).toEqual(await place.run(["run", "--help"]));
    expect(await place.run(["agents", "--help"])).toMatchObject({ code: 0, stdout: expect.stringContaining("--json") });
  });

  it("of run shows the modes and every exit code", async () => {
    const { code, stdout } = await place.run(["run", "--help"]);
    expect(code).toBe(0);
    for (const { code: exit, meaning } of Object.values(exitCodes))
      expect(stdout).toContain(`${String(exit).padEnd(5)} ${meaning}`);
    expect(stdout).toContain("edits   changes files without asking");
  });

  it("of run with an agent adds the agent's prompt syntax", async () => {
    const { code, stdout } = await place.run(["run", "-a", "demo", "--help"]);
    expect(code).toBe(0);
    expect(stdout).toContain("Exit codes:");
    expect(stdout).toContain("edit F from -> to");
  });

  it("fails for an unknown agent", async () => {
    expect(await place.run(["run", "-a", "nobody", "--help"])).toMatchObject({ code: 2 });
  });
});

it("names every command in the main help", async () => {
  const { commands } = await createProgram({ ending: new AbortController().signal, finish: () => {} });
  const named = commands.map((command) => command.name()).filter((name) => !new RegExp(`\\b${name}\\b`).test(help));
  expect(named).toEqual([]);
});

it("suggests the closest command", async () => {
  const result = await place.run(["agnets"]);
  expect(result).toMatchObject({ code: 2, stdout: "" });
  expect(result.stderr).toMatch(/^reins: Unknown command 'agnets'\. Did you mean agents\?\n/);
});

it("reports an unknown subcommand", async () => {
  const { code, stderr } = await place.run(["sessions", "frob"]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^reins: There is no subcommand frob\.\nSee `reins help`/);
});

it("says where a prompt goes", async () => {
  expect((await place.run(["explain this folder"])).stderr).toContain('`reins run "..."`');
});

it("runs the whole tour without a terminal", async () => {
  const { code, stdout, stderr } = await place.run(["tour"]);
  expect(stderr).toBe("");
  for (const word of ["You ", "Agent ", "Tool ", "Asks ", "Answer ", "File ", "End ", "Try next:", "npx reins agents"])
    expect(stdout).toContain(word);
  expect(stdout).toContain("nobody is at a terminal here, so the tour answered");
  expect(stdout).toMatch(/npx reins run -a \w+ "/);
  expect(code).toBe(0);
});
