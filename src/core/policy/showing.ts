/** The rules of a workspace for whoever wants to see, try or remove them. */
import { ReinsError } from "../../events/errors.ts";
import type { ListedRule, PolicyTrial, PolicyView, TriedCall } from "../api.ts";
import { loadConfiguration } from "../configuration.ts";
import { personsFolder } from "../persons-folder.ts";
import type { Environment } from "../configuration-files.ts";
import { alternatives } from "./alternatives.ts";
import { Answers } from "./answers.ts";
import { Compiled } from "./compile.ts";
import { decide } from "./decide.ts";
import { holdVerdict, permissionVerdict, withRule } from "./mode.ts";
import { impossible, neverMatching } from "./never.ts";
import { because } from "./policy.ts";
import { placesOf } from "./policy-for.ts";
import { said } from "./rule.ts";
import { rulesOf } from "./rules-of.ts";
import { subjectOf } from "./subject-of.ts";

/** `cwd` is a real path. */
export async function policyView(cwd: string, env: Environment, agents: readonly string[]): Promise<PolicyView> {
  const configured = await loadConfiguration(cwd, env);
  const answers = new Answers(personsFolder(env), cwd);
  const places = placesOf(cwd, env);
  const { rules, remarks } = rulesOf({ files: configured.files, answers });
  const notes = notesOf(rules.length === 0 ? [] : agents, (agent) => new Compiled(rules, agent, places), agents);
  const listed = rules.map(({ rule, source, file }, index): ListedRule => {
    const note = impossible(rule, alternatives(rule, places).length === 0, agents) ?? notes.get(index + 1);
    return { number: index + 1, said: said(rule), rule, source, file, ...(note !== undefined && { note }) };
  });

  function tried({ tool, input, mcp, agent = "*", mode = configured.mode ?? "ask" }: TriedCall): PolicyTrial {
    const compiled = new Compiled(rules, agent, places);
    const verdict = decide(compiled, subjectOf({ tool, input, mcp }, compiled));
    const { decision: first } = holdVerdict(mode, tool);
    // What is left to the agent comes back as its question.
    const asked = first === "allow" || first === "deny" ? { decision: first } : permissionVerdict(mode, tool, false);
    const decision = withRule(asked, verdict?.decision, mode, tool);
    if (verdict !== undefined && decision !== undefined) {
      return {
        decision,
        by: "rule",
        rule: listed[verdict.number - 1],
        why: `${because(verdict)} It matches ${JSON.stringify(verdict.what)}.`,
      };
    }
    const outranked =
      verdict === undefined
        ? "No rule matches"
        : `Rule ${verdict.number} (${said(verdict.rule)}) does not go beyond the mode`;
    const why = {
      allow: "it is allowed",
      deny: "it is denied",
      ask: "what the agent asks about is asked of a person",
    }[asked.decision];
    return {
      decision: asked.decision,
      by: "mode",
      rule: undefined,
      why: `${outranked}: in mode ${mode} ${why}.`,
    };
  }

  function remove(number: number): ListedRule {
    const rule = listed.find((one) => one.number === number);
    if (rule === undefined) {
      throw new ReinsError("invalid_input", `There is no rule ${number}.`, {
        help: "`reins policy list` numbers them.",
      });
    }
    if (rule.source !== "answer") {
      throw new ReinsError("invalid_input", `Rule ${number} (${rule.said}) is no answer of yours.`, {
        help: `It stands in ${rule.file ?? "the call"}: change it there.`,
      });
    }
    const place = listed.filter(({ source }) => source === "answer").indexOf(rule);
    answers.remove(answers.read().kept.filter(({ stale }) => !stale)[place]!);
    return rule;
  }

  return {
    cwd,
    rules: listed,
    remarks,
    test: async (call) => tried(call),
    remove: async (number) => remove(number),
  };
}

/** A rule that comes too late for every agent; by its number, why. */
function notesOf(
  agents: readonly string[],
  compile: (agent: string) => Compiled,
  known: readonly string[],
): ReadonlyMap<number, string> {
  const [first, ...rest] = agents.map(
    (agent) => new Map(neverMatching(compile(agent), known).map(({ number, why }) => [number, why])),
  );
  return new Map([...(first ?? [])].filter(([number]) => rest.every((notes) => notes.has(number))));
}
