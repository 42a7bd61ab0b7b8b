import type { QuestionReply, QuestionRequest } from "../../core/api.ts";
import type { Question } from "../../events/types.ts";
import type { AskContext } from "./terminal.ts";

/** Asks the questions one by one; an empty line skips one. */
export async function askQuestions(
  request: QuestionRequest,
  signal: AbortSignal,
  { terminal, screen }: AskContext,
): Promise<QuestionReply> {
  const answers: Record<string, string | readonly string[]> = {};
  for (const question of request.questions) {
    screen.still();
    screen.line(`\n${question.header === undefined ? "" : `${question.header}: `}${question.text}`, "bold");
    for (const [index, { label, description }] of question.options.entries()) {
      screen.line(
        `  ${index + 1}  ${label}${description === undefined || description === label ? "" : `  (${description})`}`,
      );
    }
    screen.line(hint(question), "dim");
    const answer = await askOne(question, signal, { terminal, screen });
    if (answer === undefined) return "skip";
    if (answer !== "") answers[question.id] = answer;
  }
  return Object.keys(answers).length === 0 ? "skip" : answers;
}

async function askOne(
  question: Question,
  signal: AbortSignal,
  { terminal, screen }: AskContext,
): Promise<string | readonly string[] | undefined> {
  for (;;) {
    const line = await terminal.ask("Your answer: ", signal);
    if (line === undefined) return undefined;
    const answer = parseChoice(line, question);
    if (answer !== undefined) return answer;
    screen.line(hint(question));
  }
}

function hint({ options, multiple, free }: Question): string {
  if (options.length === 0) return "Type the answer; an empty line skips the question.";
  const number = multiple ? "One or more numbers, such as 1 2" : "A number";
  return `${number}${free === false ? "" : ", or your own answer"}; an empty line skips the question.`;
}

/** The chosen labels, or the free text. Empty to skip, undefined for input that makes no sense. */
export function parseChoice(
  line: string,
  { options, multiple, free }: Question,
): string | readonly string[] | undefined {
  const text = line.trim();
  if (text === "") return "";
  if (options.length === 0) return text;
  const exact = options.find(({ label }) => label.toLowerCase() === text.toLowerCase());
  const labels =
    exact === undefined && /^[\d\s,]+$/.test(text)
      ? text
          .split(/[\s,]+/)
          .filter(Boolean)
          .map((number) => options[Number(number) - 1]?.label)
      : [exact?.label ?? (free === false ? undefined : text)];
  if (labels.length === 0 || (labels.length > 1 && !multiple)) return undefined;
  const known = labels.filter((label) => label !== undefined);
  if (known.length < labels.length) return undefined;
  return multiple ? known : known[0];
}
