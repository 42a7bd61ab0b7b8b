/** `cursor/ask_question` and `cursor/create_plan`: what Cursor asks a person beside permissions. */
import type { AcpMeaning, AcpMethod } from "../../../drivers/acp/index.ts";
import { record, records, text } from "../../../drivers/acp/read.ts";
import type { Wire } from "../../../drivers/acp/read.ts";
import type { PermissionOption, Question } from "../../../events/types.ts";
import { entriesOf } from "./acp-todos.ts";

type Answer = Parameters<Extract<AcpMeaning, { says: "question" }>["answered"]>[0];

const outcome = (kind: string, more: Wire = {}): Wire => ({ outcome: { outcome: kind, ...more } });
const because = (kind: string, reason: string | undefined): Wire =>
  outcome(kind, reason === undefined ? {} : { reason });

const cancelled = outcome("cancelled");

export const askQuestion: AcpMethod = (params) => {
  const asked = records(params["questions"]).filter((question) => text(question["prompt"]) !== undefined);
  if (asked.length === 0) return undefined;
  return {
    says: "question",
    callId: text(params["toolCallId"]),
    questions: asked.map((question, index) => questionOf(question, index, text(params["title"]))),
    answered: (answer) => answersTo(asked, answer),
    cancelled,
  };
};

function questionOf(question: Wire, index: number, header: string | undefined): Question {
  const options = optionsOf(question).map(({ label }) => ({ label }));
  const asked: Question = {
    id: idOf(question, index),
    text: text(question["prompt"]) ?? "",
    options,
    multiple: question["allowMultiple"] === true,
    free: options.length === 0,
  };
  return header === undefined ? asked : { ...asked, header };
}

/** Words that are no option have no place in an answer: they go as the reason why it was skipped. */
function answersTo(questions: readonly Wire[], { decision, answers = {}, message }: Answer): Wire {
  if (decision !== "answer") return because("skipped", message);
  const own: string[] = [];
  const chosen = questions.map((question, index) => {
    const questionId = idOf(question, index);
    const given = [answers[questionId] ?? []].flat();
    const picked = given.flatMap((label) => {
      const option = optionsOf(question).find((one) => one.label === label || one.id === label);
      if (option === undefined) own.push(label);
      return option === undefined ? [] : [option.id];
    });
    return { questionId, selectedOptionIds: question["allowMultiple"] === true ? picked : picked.slice(0, 1) };
  });
  if (chosen.every(({ selectedOptionIds }) => selectedOptionIds.length === 0))
    return because("skipped", own.length === 0 ? message : own.join("\n"));
  return outcome("answered", { answers: chosen });
}

function idOf(question: Wire, index: number): string {
  return text(question["id"]) ?? `question_${index + 1}`;
}

function optionsOf(question: Wire): { id: string; label: string }[] {
  return records(question["options"]).flatMap((option) => {
    const id = text(option["id"]) ?? text(option["label"]);
    return id === undefined ? [] : [{ id, label: text(option["label"]) ?? id }];
  });
}

const planOptions: readonly PermissionOption[] = [
  { id: "accept", kind: "allow_once", label: "Approve the plan", scope: "once" },
  { id: "reject", kind: "reject_once", label: "Reject the plan", scope: "once" },
];

export const createPlan: AcpMethod = (params) => {
  const plan = text(params["plan"]) ?? text(params["overview"]);
  if (plan === undefined) return undefined;
  const { name, overview, todos, phases } = params;
  const entries = entriesOf([
    ...records(todos),
    ...records(phases).flatMap((phase) => records(record(phase)["todos"])),
  ]);
  return {
    says: "permission",
    call: {
      toolCallId: text(params["toolCallId"]) ?? "create_plan",
      name: "create_plan",
      rawInput: { plan, ...(text(name) !== undefined && { name }), ...(text(overview) !== undefined && { overview }) },
    },
    options: planOptions,
    updates: entries.length === 0 ? [] : [{ sessionUpdate: "plan", entries }],
    answered: ({ decision, changedInput, message }) =>
      decision === "allow" && changedInput === undefined ? outcome("accepted") : because("rejected", message),
    cancelled,
  };
};
