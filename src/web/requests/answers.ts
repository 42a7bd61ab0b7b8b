/** What was chosen and written, as the answers to questions. Pure. */
import type { QuestionItem } from "../../view/model.ts";

type Question = QuestionItem["questions"][number];

export interface Chosen {
  readonly options: readonly string[];
  readonly text: string;
}

export const nothingChosen: Chosen = { options: [], text: "" };

/** One option more or less; of a question with one answer, that one. */
export function toggled({ multiple }: Question, chosen: Chosen, label: string): Chosen {
  const has = chosen.options.includes(label);
  if (!multiple) return { options: [label], text: "" };
  return { ...chosen, options: has ? chosen.options.filter((one) => one !== label) : [...chosen.options, label] };
}

export function written({ multiple }: Question, chosen: Chosen, text: string): Chosen {
  return { options: multiple || text === "" ? chosen.options : [], text };
}

export function takesText({ free, options }: Question): boolean {
  return free === true || options.length === 0;
}

function answerTo({ multiple }: Question, { options, text }: Chosen): string | readonly string[] | undefined {
  const all = text.trim() === "" ? options : [...options, text.trim()];
  return all.length === 0 ? undefined : multiple ? all : all.at(-1);
}

/** Undefined while one of them has none. */
export function answersOf(
  questions: readonly Question[],
  chosen: Readonly<Record<string, Chosen>>,
): Readonly<Record<string, string | readonly string[]>> | undefined {
  const answers: Record<string, string | readonly string[]> = {};
  for (const question of questions) {
    const answer = answerTo(question, chosen[question.id] ?? nothingChosen);
    if (answer === undefined) return undefined;
    answers[question.id] = answer;
  }
  return answers;
}
