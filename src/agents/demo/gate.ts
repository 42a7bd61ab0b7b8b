/** Whether a call may run: the policy's word first, then the agent's own judgement by mode, then a person. */
import { toolKinds } from "../../events/tools.ts";
import type { AgentEventOf, PermissionOption } from "../../events/types.ts";
import type { HoldAnswer, PermissionAnswer } from "../contract.ts";
import { EndTurn, ToolProblem } from "../shared/endings.ts";
import { canonicalTools } from "./tools.ts";
import type { ToolName } from "./tools.ts";
import type { Turn } from "./turn.ts";

/** A call that has started and not yet run. */
export type Call = Pick<AgentEventOf<"tool.held">, "callId" | "tool" | "nativeName" | "title" | "input" | "locations">;

const options: PermissionOption[] = [
  { id: "allow_once", kind: "allow_once", label: "Yes", scope: "once" },
  { id: "allow_always", kind: "allow_always", label: "Yes, and do not ask for this tool again", scope: "session" },
  { id: "reject_once", kind: "reject_once", label: "No", scope: "once" },
];

/** Throws when the call is denied; says whether a person is to be asked. */
export async function hold(turn: Turn, name: ToolName, call: Call): Promise<"run" | "ask"> {
  if (turn.filter.disallowed?.some((tool) => tool === name || tool === call.tool))
    throw denied(`The tool ${name} is disallowed.`);
  const answer = (await turn.request({ type: "tool.held", requestId: turn.newId("hold"), ...call })) as HoldAnswer;
  switch (answer.decision) {
    case "allow":
      return "run";
    case "deny":
      throw denied(answer.message);
    case "ask":
      return "ask";
    case "defer":
      return ownJudgement(turn, name, call);
  }
}

function ownJudgement(turn: Turn, name: ToolName, call: Call): "run" | "ask" {
  const { mode, allowedAlways } = turn.desk;
  const tool = canonicalTools[name];
  const kind = toolKinds[tool];
  if (kind === "read" || kind === "search" || kind === "think") return "run";
  if (mode === "read" || mode === "plan") throw denied(`Mode ${mode} only looks.`);
  const ordinaryEdit = kind === "edit" && !isHidden(call);
  if (mode === "full" || (mode === "edits" && ordinaryEdit) || allowedAlways.has(name)) return "run";
  return turn.filter.allowed?.some((allowed) => allowed === name || allowed === tool) ? "run" : "ask";
}

/** What is hidden makes other programs run: hooks of git, tasks of an editor. */
function isHidden({ locations = [] }: Call): boolean {
  return locations.some(({ path }) => path.split(/[\\/]/).some((part) => /^\.[^.]/.test(part)));
}

/** Asks a person; returns the input they changed, if they did. */
export async function askPerson(
  turn: Turn,
  call: Call,
  details: { diff?: string | undefined; once?: boolean },
): Promise<unknown> {
  const { nativeName, ...rest } = call;
  const request: AgentEventOf<"permission.requested"> = {
    type: "permission.requested",
    requestId: turn.newId("permission"),
    ...rest,
    options: details.once === true ? options.filter((option) => option.kind !== "allow_always") : options,
  };
  if (details.diff !== undefined) request.diff = details.diff;
  const answer = (await turn.request(request)) as PermissionAnswer;
  if (answer.decision !== "allow" || answer.optionId === "reject_once") {
    if (answer.stop === true) throw new EndTurn("cancelled");
    throw denied(answer.message);
  }
  if (answer.optionId === "allow_always" || (answer.optionId === undefined && answer.always === true))
    turn.desk.allowedAlways.add(nativeName);
  return answer.changedInput;
}

function denied(message: string | undefined): ToolProblem {
  return new ToolProblem(message ?? "It was not allowed.", "denied");
}
