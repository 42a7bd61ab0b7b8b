import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Place } from "../../../test/support/command.ts";
import { SavedAnswers } from "../../core/policy/saved-answers.ts";

let place: Place;
beforeEach(() => {
  place = new Place();
  mkdirSync(join(place.home, "reins"));
});
afterEach(() => place[Symbol.dispose]());

const person = (...rules: unknown[]) =>
  writeFileSync(join(place.home, "reins", "config.json"), JSON.stringify({ policy: { rules } }));
const project = (...rules: unknown[]) =>
  writeFileSync(join(place.cwd, "reins.config.json"), JSON.stringify({ policy: { rules } }));

it("lists the rules in order, with their origin and problems", async () => {
  expect((await place.run(["policy"])).stdout).toBe("There are no rules. The mode and your answers decide.\n");
  person({ decision: "allow", command: "git *" }, { decision: "deny", command: "git push", reason: "Ask first." });
  project({ decision: "deny", command: "rm", reason: "Use git." }, { decision: "allow", tool: "shell" });
  const answers = new SavedAnswers(join(place.home, "reins"), realpathSync(place.cwd));
  answers.keep({ decision: "allow", command: "npm test" });
  const { code, stdout } = await place.run(["policy", "list"]);
  expect(code).toBe(0);
  expect(stdout.replaceAll(/ +/g, " ")).toMatch(
    /^no rule from\n1 deny shell rm the project, \S+reins.config.json\n Use git.\n2 allow shell npm test your answer\n3 allow shell git \* you, \S+config.json\n4 deny shell git push you, \S+\n → it has no effect: rule 3 \(allow shell git \*\) matches the same before it\n\nThe project has rules that allow something \(allow shell\); only you can do that, so they are ignored.\n$/,
  );
  const lines = (await place.run(["policy", "list", "--json"])).stdout.trimEnd().split("\n");
  expect(lines.map((line) => (JSON.parse(line) as { source: string }).source)).toEqual([
    "project",
    "answer",
    "person",
    "person",
  ]);
});

it("says what would be decided, by which rule, and why", async () => {
  person({ decision: "allow", command: "git *" }, { decision: "deny", path: "**/.env", reason: "Secrets." });
  const tried = async (...words: string[]) => (await place.run(["policy", "test", ...words])).stdout;
  expect(await tried("shell", "git status | cat .env")).toContain("deny  by rule 2: deny everything in **/.env");
  expect(await tried("shell", "git", "status")).toMatch(
    /^allow {2}by rule 1: .*\nAllowed by your rule: allow shell git \*\. It matches "git status"\.\n$/,
  );
  expect(await tried("shell", "git status", "--mode", "plan")).toBe(
    "deny  by the mode\nRule 1 (allow shell git *) cannot override the mode: in mode plan it is denied.\n",
  );
  expect(await tried("shell", "ls $X")).toBe(
    "ask  by the mode\nNo rule matches: in mode ask a person decides about the agent's requests.\n",
  );
  expect(JSON.parse(await tried("read", "a/.env", "--json"))).toMatchObject({
    decision: "deny",
    by: "rule",
    rule: { number: 2 },
  });
  const strange = await place.run(["policy", "test", "bash", "x"]);
  expect(strange).toMatchObject({ code: 2, stdout: "" });
  expect(strange.stderr).toContain("There is no tool bash.");
});

it("removes a remembered answer, but no rule of a file", async () => {
  person({ decision: "deny", command: "rm" });
  const answers = new SavedAnswers(join(place.home, "reins"), realpathSync(place.cwd));
  answers.keep({ decision: "allow", command: "npm test" });
  expect((await place.run(["policy", "rm", "1"])).stdout).toBe("Removed: allow shell npm test\n");
  expect(answers.read().kept).toEqual([]);
  const refused = await place.run(["policy", "rm", "1"]);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toMatch(
    /Rule 1 \(deny shell rm\) is not one of your saved answers\.\nIt is in \S+config\.json: change it there\./,
  );
  expect((await place.run(["policy", "rm", "7"])).stderr).toContain("There is no rule 7.");
});
