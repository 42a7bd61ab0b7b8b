import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { policyView } from "./policy-view.ts";
import { SavedAnswers } from "./saved-answers.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "reins-view-")));
const [home, cwd] = [join(root, "home"), join(root, "work")];
mkdirSync(home);
mkdirSync(cwd);
afterAll(() => rmSync(root, { recursive: true }));
writeFileSync(
  join(home, "config.json"),
  JSON.stringify({
    policy: {
      rules: [
        { decision: "deny", command: "rm" },
        { decision: "deny", command: "rm -r" },
        { decision: "deny", tool: "read", command: "ls" },
        { decision: "allow", tool: "write" },
      ],
    },
  }),
);
new SavedAnswers(home, cwd).keep({ decision: "allow", command: "make" });
const view = () => policyView(cwd, { REINS_HOME: home }, ["demo", "other"]);
const run = (command: string) => ({ tool: "shell", input: { command } }) as const;

it("numbers the rules with their source and the reason why one has no effect", async () => {
  const { rules } = await view();
  expect(rules.map(({ number, said, source }) => `${number} ${source} ${said}`)).toEqual([
    "1 answer allow shell make",
    "2 person deny shell rm",
    "3 person deny shell rm -r",
    "4 person deny read ls",
    "5 person allow write",
  ]);
  expect(rules.map(({ note }) => note)).toEqual([
    undefined,
    undefined,
    "rule 2 (deny shell rm) matches the same before it",
    "the tool read has no command",
    undefined,
  ]);
});

it("explains what would be decided, by a rule or by the mode", async () => {
  const policy = await view();
  expect(await policy.test(run("rm x"))).toMatchObject({
    decision: "deny",
    by: "rule",
    rule: { number: 2 },
    why: 'Denied by your rule: deny shell rm. It matches "rm x".',
  });
  expect(await policy.test(run("make"))).toMatchObject({ decision: "allow", by: "rule" });
  expect(await policy.test(run("ls"))).toMatchObject({ decision: "ask", by: "mode" });
  expect(await policy.test({ ...run("ls"), mode: "full", agent: "demo" })).toEqual({
    decision: "allow",
    by: "mode",
    rule: undefined,
    why: "No rule matches: in mode full it is allowed.",
  });
  const write = { tool: "write", input: { path: "a" }, mode: "read" } as const;
  expect(await policy.test(write)).toMatchObject({
    decision: "deny",
    by: "mode",
    why: "Rule 5 (allow write) cannot override the mode: in mode read it is denied.",
  });
});

it("removes a saved answer and nothing else", async () => {
  const policy = await view();
  await expect(policy.remove(9)).rejects.toThrow("There is no rule 9.");
  await expect(policy.remove(2)).rejects.toThrow("Rule 2 (deny shell rm) is not one of your saved answers.");
  expect(await policy.remove(1)).toMatchObject({ said: "allow shell make" });
  expect((await view()).rules).toHaveLength(4);
});

it("decides by mode without rules", async () => {
  const policy = await policyView(cwd, { REINS_HOME: join(root, "empty") }, []);
  expect(policy.rules).toEqual([]);
  expect(await policy.test(run("ls"))).toMatchObject({ decision: "ask", by: "mode" });
});
