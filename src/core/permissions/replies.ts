import type { PermissionAnswer, QuestionAnswer } from "../../agents/contract.ts";
import { ReinsError } from "../../events/errors.ts";
import type { PermissionOption } from "../../events/types.ts";
import type { PermissionReply, QuestionReply } from "../api.ts";

export function permissionAnswer(reply: PermissionReply): PermissionAnswer {
  switch (reply) {
    case "allow":
      return { decision: "allow" };
    case "always":
      return { decision: "allow", always: true };
    case "deny":
      return { decision: "deny" };
    case "stop":
      return { decision: "deny", stop: true };
  }
  if (typeof reply !== "object" || reply === null || (reply.decision !== "allow" && reply.decision !== "deny")) {
    throw new ReinsError(
      "invalid_input",
      "The answer to a permission is allow, always, deny, stop or an object with a decision.",
    );
  }
  refuseUnwritable(reply.changedInput);
  return reply;
}

/** Check before anything is settled: an answer that cannot be serialised would leave the agent waiting forever. */
function refuseUnwritable(input: unknown): void {
  try {
    JSON.stringify(input);
  } catch (cause) {
    throw new ReinsError("invalid_input", "The changed input cannot be written as JSON.", { cause });
  }
}

/** The option that an answer means when it names none. */
export function chosenOption(
  answer: PermissionAnswer,
  options: readonly PermissionOption[],
): PermissionOption | undefined {
  if (answer.optionId !== undefined) {
    const named = options.find((option) => option.id === answer.optionId);
    if (named === undefined)
      throw new ReinsError("invalid_input", `There is no option ${answer.optionId} in this permission.`);
    if (named.kind.startsWith("allow") !== (answer.decision === "allow")) {
      throw new ReinsError("invalid_input", `The option ${answer.optionId} does not mean ${answer.decision}.`);
    }
    return named;
  }
  const kind = answer.decision === "allow" ? "allow" : "reject";
  return (
    options.find((option) => option.kind === `${kind}_${answer.always === true ? "always" : "once"}`) ??
    options.find((option) => option.kind === `${kind}_once`)
  );
}

export function questionAnswer(reply: QuestionReply, asked: readonly string[]): QuestionAnswer {
  if (reply === "skip") return { decision: "skip" };
  if (typeof reply !== "object" || reply === null)
    throw new ReinsError("invalid_input", "The answer to a question is an object, by question id, or skip.");
  const whole = !asked.includes("decision") && (reply["decision"] === "answer" || reply["decision"] === "skip");
  const answer = whole
    ? (reply as QuestionAnswer)
    : { decision: "answer" as const, answers: reply as Readonly<Record<string, string | readonly string[]>> };
  const unknown = Object.keys(answer.answers ?? {}).find((id) => !asked.includes(id));
  if (unknown !== undefined)
    throw new ReinsError("invalid_input", `There is no question ${unknown}; there are ${asked.join(", ")}.`);
  return answer;
}
