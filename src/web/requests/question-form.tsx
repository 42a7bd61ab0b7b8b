import { useId, useState } from "react";
import { oneLine, printable } from "../../events/printable.ts";
import type { QuestionItem } from "../../view/model.ts";
import { Button, Icon } from "../ui/basics.tsx";
import { Form } from "../ui/form.tsx";
import { type RequestProps, TimeLeft, useAnswer } from "./answer.tsx";

type Question = QuestionItem["questions"][number];

interface Chosen {
  readonly options: readonly string[];
  readonly text: string;
}

export const nothingChosen: Chosen = { options: [], text: "" };

/** Adds or removes an option. In a single-choice question it replaces the earlier choice. */
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

interface QuestionFieldProps {
  readonly question: QuestionItem["questions"][number];
  readonly chosen: Chosen;
  readonly onChange: (chosen: Chosen) => void;
}

function QuestionField({ question, chosen, onChange }: QuestionFieldProps) {
  const name = useId();
  const { text, options, multiple } = question;
  return (
    <fieldset className="question">
      <legend dir="auto">{printable(text)}</legend>
      {options.map(({ label, description }) => (
        <label key={label} className="choice">
          <input
            type={multiple ? "checkbox" : "radio"}
            name={name}
            checked={chosen.options.includes(label)}
            onChange={() => onChange(toggled(question, chosen, label))}
          />
          <span>
            <bdi>{oneLine(label)}</bdi>
            {description !== undefined && <small dir="auto">{oneLine(description)}</small>}
          </span>
        </label>
      ))}
      {takesText(question) && (
        <input
          type="text"
          dir="auto"
          aria-label={options.length === 0 ? oneLine(text) : "Your own answer"}
          placeholder={options.length === 0 ? "Your answer" : "Or type your own answer"}
          value={chosen.text}
          onChange={(event) => onChange(written(question, chosen, event.target.value))}
        />
      )}
    </fieldset>
  );
}

export function QuestionForm({ session, item, mayAnswer }: RequestProps<QuestionItem>) {
  const { questions } = item;
  const [busy, answer] = useAnswer(session, item.requestId);
  const [chosen, setChosen] = useState<Readonly<Record<string, Chosen>>>({});
  const heading = useId();
  const answers = answersOf(questions, chosen);
  const [only] = questions;
  const title = questions.length === 1 ? (only?.header ?? "A question") : `${questions.length} questions`;
  return (
    <Form
      className="request"
      aria-labelledby={heading}
      onSubmit={() => answers !== undefined && answer({ decision: "answer", answers })}
    >
      <header className="request-head">
        <Icon name="help" />
        <h2 id={heading} dir="auto">
          {oneLine(title)}
        </h2>
        <TimeLeft deadline={item.deadline} then="Skipped" />
      </header>
      {questions.map((question) => (
        <QuestionField
          key={question.id}
          question={question}
          chosen={chosen[question.id] ?? nothingChosen}
          onChange={(next) => setChosen({ ...chosen, [question.id]: next })}
        />
      ))}
      <div className="request-answers">
        <Button type="submit" look="primary" busy={busy} disabled={answers === undefined || !mayAnswer}>
          Answer
        </Button>
        <Button look="quiet" disabled={busy || !mayAnswer} onClick={() => answer("skip")}>
          Skip
        </Button>
      </div>
    </Form>
  );
}
