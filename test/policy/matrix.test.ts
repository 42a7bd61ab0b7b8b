/** Every mode with every decision of a rule, on an agent that really acts: a denied call never runs, and the event says who decided. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import type { ReinsEvent } from "../../src/events/types.ts";
import { modes, type Mode } from "../../src/events/modes.ts";
import type { Decision, Rule } from "../../src/core/policy/rule.ts";
import { createReins } from "../../src/index.ts";
import { expectLawful } from "../support/lawful.ts";

const words = ["no rule", "allow", "ask", "deny"] as const;
type Word = (typeof words)[number];
const tries = {
  read: { prompt: "read there.txt; say done", tool: "read", changes: false },
  write: { prompt: "write new.txt hello; say done", tool: "write", changes: true },
  shell: { prompt: "run sh -c 'touch new.txt'; say done", tool: "shell", changes: true },
} as const;
type Try = keyof typeof tries;

function byMode(mode: Mode, what: Try): Decision {
  if (what === "read" || mode === "full" || (mode === "edits" && what === "write")) return "allow";
  return mode === "read" || mode === "plan" ? "deny" : "ask";
}

function expected(mode: Mode, word: Word, what: Try, person: boolean): boolean {
  const usual = byMode(mode, what);
  const decision = word === "deny" ? "deny" : word === "no rule" || usual === "deny" ? usual : word;
  return decision === "ask" ? person : decision === "allow";
}

const cells = modes.flatMap((mode) =>
  words.flatMap((word) =>
    (Object.keys(tries) as Try[]).flatMap((what) => {
      const asks = expected(mode, word, what, true) !== expected(mode, word, what, false);
      return (asks ? [true, false] : [true]).map((person) => ({ mode, word, what, person }));
    }),
  ),
);

const home = mkdtempSync(join(tmpdir(), "reins-matrix-"));
const reins = createReins({ guardian: false, env: { PATH: process.env["PATH"], HOME: home, REINS_HOME: home } });
afterAll(async () => {
  await reins.close();
  rmSync(home, { recursive: true });
});

it.concurrent.each(cells)(
  "mode $mode, $word, $what, a person allows: $person",
  async ({ mode, word, what, person }) => {
    const { prompt, tool, changes } = tries[what];
    const cwd = mkdtempSync(join(home, "work-"));
    writeFileSync(join(cwd, "there.txt"), "hello");
    const rules: Rule[] = word === "no rule" ? [] : [{ decision: word, tool }];
    const people = person ? { onPermission: () => "allow" as const } : {};
    await using session = await reins.session({ agent: "demo", cwd, mode, rules, ...people });
    const seen: ReinsEvent[] = [];
    await session.prompt(prompt).result;
    await session.close();
    for await (const event of session.events()) seen.push(event);
    expectLawful(seen);
    const ran = expected(mode, word, what, person);
    if (changes) expect(existsSync(join(cwd, "new.txt"))).toBe(ran);
    expect(seen.some(({ type }) => type === "tool.completed")).toBe(ran);
    const resolved = seen.filter((event) => event.type === "permission.resolved");
    if (word === "deny") expect(resolved).toMatchObject([{ outcome: "denied", by: "policy", rule: `deny ${tool}` }]);
    if (word === "allow" && byMode(mode, what) !== "deny")
      expect(resolved).toMatchObject([{ outcome: "allowed", by: "policy", rule: `allow ${tool}` }]);
  },
);
