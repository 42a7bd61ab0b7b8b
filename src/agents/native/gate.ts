/** Whether a call may run: the policy's word first, then the agent's own judgement by mode, then a person. */
import { toolKinds } from "../../events/tools.ts";
import type { AgentEventOf, PermissionOption } from "../../events/types.ts";
import type { HoldAnswer, PermissionAnswer } from "../contract.ts";
import { EndTurn, ToolProblem } from "../shared/endings.ts";
import type { Inquiry, Place } from "./tools/definition.ts";
import type { Turn } from "./turn.ts";

/** A call that has started and not yet run. */
export type Call = Pick<
  AgentEventOf<"tool.held">,
  "callId" | "tool" | "nativeName" | "title" | "input" | "locations" | "mcp"
>;

/** What an `always` would allow. */
export interface Rule {
  readonly key: string;
  readonly label: string;
}

/** `allowed`: somebody who may say so allowed exactly this. `run`: it needs nobody's word. */
export type Verdict = "allowed" | "run" | "ask";

/** Throws when the call is denied. */
export async function hold(turn: Turn, call: Call, places: readonly Place[], rule: Rule): Promise<Verdict> {
  const answer = (await turn.request({ type: "tool.held", requestId: turn.newId("hold"), ...call })) as HoldAnswer;
  switch (answer.decision) {
    case "allow":
      return "allowed";
    case "deny":
      throw denied(answer.message);
    case "ask":
      return "ask";
    case "defer":
      return ownJudgement(turn, call, places, rule);
  }
}

/** Deny by default: what is not known to be harmless is asked for, and what a mode excludes is not even that. */
function ownJudgement(turn: Turn, call: Call, places: readonly Place[], rule: Rule): Verdict {
  const { mode, allowedAlways } = turn.desk;
  const kind = toolKinds[call.tool];
  const inside = places.every((place) => place.inside);
  const ordinary = inside && places.every((place) => !place.hidden);
  if (kind === "think" || call.tool === "question") return "run";
  const looks = kind === "read" || kind === "search";
  if (looks && inside) return "run";
  const onlyLooks = mode === "read" || mode === "plan";
  if (onlyLooks && !looks && kind !== "fetch") throw denied(`Not allowed: mode ${mode} only looks.`);
  if (mode === "full" || allowedAlways.has(rule.key)) return "allowed";
  if (mode === "edits" && kind === "edit" && ordinary) return "run";
  return isNamed(turn.filter.allowed, call) && !onlyLooks && ordinary ? "allowed" : "ask";
}

/** A filter names a tool as it is called here, as it is called everywhere, or all tools of a server. */
export function isNamed(
  names: readonly string[] | undefined,
  call: Pick<Call, "nativeName" | "tool" | "mcp">,
): boolean {
  return (
    names?.some((name) => name === call.nativeName || name === call.tool || name === `mcp__${call.mcp?.server}`) ===
    true
  );
}

/** Asks a person; throws when they say no. Gives back the input they changed, if they did. */
export async function askPerson(turn: Turn, call: Call, { diff, reason }: Inquiry, rule?: Rule): Promise<unknown> {
  const { nativeName: _ours, ...rest } = call;
  const answer = (await turn.request({
    type: "permission.requested",
    requestId: turn.newId("permission"),
    ...rest,
    diff,
    reason,
    options: optionsFor(rule),
  })) as PermissionAnswer;
  if (answer.decision !== "allow" || answer.optionId === "deny") {
    if (answer.stop === true) throw new EndTurn("cancelled");
    throw denied(answer.message);
  }
  const always = answer.optionId === "always" || (answer.optionId === undefined && answer.always === true);
  if (always && rule !== undefined) turn.desk.allowedAlways.add(rule.key);
  return answer.changedInput;
}

function optionsFor(rule: Rule | undefined): PermissionOption[] {
  const always: PermissionOption[] =
    rule === undefined
      ? []
      : [
          {
            id: "always",
            kind: "allow_always",
            label: `Always allow ${rule.label} in this session`,
            scope: "session",
            rule: rule.label,
          },
        ];
  return [
    { id: "allow", kind: "allow_once", label: "Allow", scope: "once" },
    ...always,
    { id: "deny", kind: "reject_once", label: "Deny", scope: "once" },
  ];
}

function denied(message: string | undefined): ToolProblem {
  return new ToolProblem(message ?? "It was not allowed.", "denied");
}
