import { useId } from "react";
import { oneLine, printable } from "../../events/printable.ts";
import type { QuestionItem } from "../../view/model.ts";
import { takesText, toggled, written } from "./answers.ts";
import type { Chosen } from "./answers.ts";

interface QuestionFieldProps {
  readonly question: QuestionItem["questions"][number];
  readonly chosen: Chosen;
  readonly onChange: (chosen: Chosen) => void;
}

export function QuestionField({ question, chosen, onChange }: QuestionFieldProps) {
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
          aria-label={options.length === 0 ? oneLine(text) : "An answer of your own"}
          placeholder={options.length === 0 ? "Your answer" : "Or in your own words"}
          value={chosen.text}
          onChange={(event) => onChange(written(question, chosen, event.target.value))}
        />
      )}
    </fieldset>
  );
}
