import { useId, useState } from "react";
import { oneLine } from "../../events/printable.ts";
import type { QuestionItem } from "../../view/model.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { answersOf, nothingChosen } from "./answers.ts";
import type { Chosen } from "./answers.ts";
import { QuestionField } from "./question-field.tsx";
import { useAnswer } from "./use-answer.ts";
import { useDeadline } from "./use-deadline.ts";

interface QuestionFormProps {
  readonly session: string;
  readonly item: QuestionItem;
  readonly mayAnswer: boolean;
}

export function QuestionForm({ session, item, mayAnswer }: QuestionFormProps) {
  const { questions } = item;
  const [busy, answer] = useAnswer(session, item.requestId);
  const [chosen, setChosen] = useState<Readonly<Record<string, Chosen>>>({});
  const left = useDeadline(item.deadline);
  const heading = useId();
  const answers = answersOf(questions, chosen);
  const [only] = questions;
  const title = questions.length === 1 ? (only?.header ?? "A question") : `${questions.length} questions`;
  return (
    <form
      className="request"
      aria-labelledby={heading}
      onSubmit={(event) => {
        event.preventDefault();
        if (answers !== undefined) answer({ decision: "answer", answers });
      }}
    >
      <header className="request-head">
        <Icon name="help" />
        <h2 id={heading} dir="auto">
          {oneLine(title)}
        </h2>
        {left !== undefined && (
          <span className="request-left" title="Skipped then, if nobody answers">
            <span className="sr-only">Skipped if nobody answers within </span>
            <Icon name="wait" size={14} /> {left}
            <span aria-hidden="true"> left</span>
          </span>
        )}
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
    </form>
  );
}
