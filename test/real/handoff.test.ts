/** Claude Code runs out of quota during a turn, Codex finishes it, and Claude Code takes the session back. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  proofOf,
  scenarioPrompt,
  startScriptedModel,
  type Scenario,
  type ScriptedModel,
} from "../../src/testing/index.ts";
import { withToken } from "./claude/support/token.ts";
import { all, one } from "./support/events.ts";
import { programOf } from "./support/program.ts";
import { realAgent } from "./support/real-agent.ts";

const failing = "echo 'not ok 2 - the sum of nothing'; exit 1";
const runsOut: Scenario = {
  name: "mend",
  about: "Changes a file, sees a test fail, and has no quota left.",
  steps: [
    [{ say: "I mend sum.js." }, { call: { tool: "write", path: "sum.js", text: "export const sum = 0;\n" } }],
    [{ call: { tool: "shell", command: failing } }],
    [
      { limit: { status: "reached", window: "five_hour", usedPercent: 100, resetsInSeconds: 3600 } },
      { error: { status: 429, headers: { "retry-after": "3600" } } },
    ],
  ],
};
const finishes: Scenario = {
  name: "mend",
  about: "Looks at the file and is done.",
  steps: [[{ call: { tool: "shell", command: "cat sum.js" } }], [{ say: "Codex has seen: {lastResult}" }]],
};

/** The requests to the model in order, as text. */
const asked = ({ requests }: ScriptedModel): readonly string[] =>
  requests.filter(({ kind }) => kind === "answer").map(({ items }) => JSON.stringify(items));

test(
  "hands over to the next agent with the context when the quota is used up, and back to the first",
  { timeout: 90_000 },
  async () => {
    const proof = await proofOf("codex");
    const codexModel = await startScriptedModel({ proof, scenarios: [finishes] });
    onTestFinished(() => codexModel.close());
    const codex = { ...proof.env(codexModel.url), REINS_CODEX_COMMAND: programOf(proof) };
    const real = await realAgent("claude", { scenarios: [runsOut], env: codex });
    for (const [path, text] of Object.entries(proof.files?.(codexModel.url) ?? {})) {
      mkdirSync(dirname(join(real.home, path)), { recursive: true });
      writeFileSync(join(real.home, path), text);
    }
    const reins = real.another({ env: withToken(real.env) });
    const session = await real.session({ mode: "full", fallback: ["codex"] }, reins);

    await real.turn(session, scenarioPrompt("text", undefined, "What is in this folder?"));
    const { result, events } = await real.turn(session, scenarioPrompt("mend", undefined, "Mend the sum of nothing."));
    expect(result).toMatchObject({ outcome: "done", agent: "codex" });
    expect(result.text).toContain("export const sum = 0;");
    expect(one(events, "agent.switched")).toMatchObject({ from: "claude", to: "codex", reason: "quota_exhausted" });
    expect(all(events, "turn.started")).toHaveLength(1);
    const [told] = asked(codexModel);
    for (const part of [
      "# Briefing",
      "Mend the sum of nothing.",
      "What is in this folder?",
      "sum.js",
      "not ok 2 - the sum of nothing",
    ])
      expect(told).toContain(part);

    const before = asked(real.model).length;
    await session.handoff({ to: "claude" });
    const back = await real.turn(session, scenarioPrompt("text", undefined, "Is it done?"));
    expect(back.result).toMatchObject({ outcome: "done", agent: "claude" });
    const toldBack = asked(real.model)[before]!;
    for (const part of ["what you missed", "Codex has seen", "Is it done?", "I mend sum.js."])
      expect(toldBack).toContain(part);
    expect(all(real.said(session), "agent.switched").map(({ from, to }) => [from, to])).toEqual([
      ["claude", "codex"],
      ["codex", "claude"],
    ]);
  },
);
