/** Lists, tests and removes the rules of a workspace. */
import { ReinsError } from "../../events/errors.ts";
import type { ListedRule, PolicyTrial, PolicyView, TriedCall } from "../api.ts";
import { loadConfiguration } from "../config/config.ts";
import { userFolder, type Environment } from "../config/config-files.ts";
import { alternatives } from "./alternatives.ts";
import { SavedAnswers } from "./saved-answers.ts";
import { Compiled } from "./compile.ts";
import { decide } from "./decide.ts";
import { decide as decideCall, type DecisionContext } from "../permissions/decide.ts";
import { impossible, unmatchableRules } from "./unmatchable-rules.ts";
import { explainVerdict } from "./policy.ts";
import { pathScope } from "./session-policy.ts";
import { formatRule } from "./rule.ts";
import { loadRules } from "./load-rules.ts";
import { subjectOf } from "./subject.ts";

export async function policyView(cwd: string, env: Environment, agents: readonly string[]): Promise<PolicyView> {
  const configured = await loadConfiguration(cwd, env);
  const answers = new SavedAnswers(userFolder(env), cwd);
  const scope = pathScope(cwd, env);
  const { rules, remarks } = loadRules({ files: configured.files, answers });
  const notes = notesOf(rules.length === 0 ? [] : agents, (agent) => new Compiled(rules, agent, scope), agents);
  const listed = rules.map(({ rule, source, file }, index): ListedRule => {
    const note = impossible(rule, alternatives(rule, scope).length === 0, agents) ?? notes.get(index + 1);
    return { number: index + 1, said: formatRule(rule), rule, source, file, ...(note !== undefined && { note }) };
  });

  async function test({
    tool,
    input,
    mcp,
    agent = "*",
    mode = configured.mode ?? "ask",
  }: TriedCall): Promise<PolicyTrial> {
    const compiled = new Compiled(rules, agent, scope);
    const verdict = decide(compiled, subjectOf({ tool, input, mcp }, compiled));
    const context = (kind: DecisionContext["kind"]) => ({ mode, chosenMode: mode, judge: "agent", kind }) as const;
    const held = decideCall({ tool, rule: verdict }, context("hold"));
    // A deferred call comes back as the agent's own permission request.
    const isFinal = held.decision === "allow" || held.decision === "deny";
    const asked = isFinal ? held : decideCall({ tool, rule: verdict }, context("permission"));
    const decision = asked.decision as PolicyTrial["decision"];
    if (verdict !== undefined && asked.rule !== undefined) {
      const why = `${explainVerdict(verdict)} It matches ${JSON.stringify(verdict.what)}.`;
      return { decision, by: "rule", rule: listed[verdict.number - 1], why };
    }
    const outranked =
      verdict === undefined
        ? "No rule matches"
        : `Rule ${verdict.number} (${formatRule(verdict.rule)}) cannot override the mode`;
    const why = {
      allow: "it is allowed",
      deny: "it is denied",
      ask: "a person decides about the agent's requests",
    }[decision];
    return { decision, by: "mode", rule: undefined, why: `${outranked}: in mode ${mode} ${why}.` };
  }

  async function remove(number: number): Promise<ListedRule> {
    const rule = listed.find((one) => one.number === number);
    if (rule === undefined) {
      throw new ReinsError("invalid_input", `There is no rule ${number}.`, {
        help: "`reins policy list` numbers them.",
      });
    }
    if (rule.source !== "answer") {
      throw new ReinsError("invalid_input", `Rule ${number} (${rule.said}) is not one of your saved answers.`, {
        help: `It is in ${rule.file ?? "the call"}: change it there.`,
      });
    }
    const place = listed.filter(({ source }) => source === "answer").indexOf(rule);
    answers.remove(answers.read().kept.filter(({ stale }) => !stale)[place]!);
    return rule;
  }

  return { cwd, rules: listed, remarks, test, remove };
}

/** Rules that no agent can reach, because an earlier rule matches first. Maps the rule number to the reason. */
function notesOf(
  agents: readonly string[],
  compile: (agent: string) => Compiled,
  known: readonly string[],
): ReadonlyMap<number, string> {
  const [first, ...rest] = agents.map(
    (agent) => new Map(unmatchableRules(compile(agent), known).map(({ number, why }) => [number, why])),
  );
  return new Map([...(first ?? [])].filter(([number]) => rest.every((notes) => notes.has(number))));
}
