import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Place } from "../../../test/support/command.ts";
import { toyPath } from "../../../test/support/toy.ts";

let place: Place;
beforeEach(() => {
  place = new Place();
  const home = place.env["REINS_HOME"]!;
  mkdirSync(home, { recursive: true });
  const toy = { acp: [process.execPath, toyPath], name: "Toy", env: { TOY_HOME: join(place.home, "toy") } };
  writeFileSync(join(home, "config.json"), JSON.stringify({ agents: { toy } }));
});
afterEach(() => place[Symbol.dispose]());

it("hands a session to another agent, which continues the conversation", async () => {
  const first = await place.run(["run", "-a", "demo", "--mode", "edits", "write a.txt one; say Written."]);
  expect(first.code).toBe(0);
  const given = await place.run(["handoff", "last", "--to", "toy"]);
  expect(given).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ses_/) });
  expect(given.stderr).toContain("toy has the session now");
  const { stdout } = await place.run(["resume", given.stdout.trim(), "--json", "say; echo"]);
  for (const part of ["## What was being done", "Written.", "created a.txt"]) expect(stdout).toContain(part);
});

it("continues with the next fallback agent and says so", async () => {
  const { code, stderr } = await place.run(["run", "-a", "demo", "--fallback", "toy", "say Half.; fail overloaded"]);
  expect(stderr).toMatch(/⇄ .*demo.*toy/);
  expect(code).toBe(0);
});
