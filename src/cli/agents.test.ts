import { afterEach, beforeEach, expect, it } from "vitest";
import { Place } from "../../test/support/command.ts";

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place[Symbol.dispose]());

it("lists every agent, and what to do for one that is missing", async () => {
  const { code, stdout, stderr } = await place.run(["agents"], { env: { PATH: "/nowhere" } });
  expect(stderr).toBe("");
  expect(stdout).toMatch(/^agent +ready +version +signed in +found$/m);
  expect(stdout).toMatch(/^demo +yes +\S+ +not needed +built in$/m);
  expect(stdout).toMatch(/^claude +no .*\n +→ .*install/m);
  expect(code).toBe(0);
});

it("has one agent a line with --json", async () => {
  const { code, stdout } = await place.run(["agents", "--json"], { env: { PATH: "/nowhere" } });
  const agents = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { id: string; ready: boolean });
  expect(agents).toContainEqual(expect.objectContaining({ id: "demo", ready: true, builtIn: true }));
  expect(agents).toContainEqual(expect.objectContaining({ id: "claude", ready: false, installed: false }));
  expect(code).toBe(0);
});
