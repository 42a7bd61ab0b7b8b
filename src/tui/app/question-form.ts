/** Questions of an agent as a form: one by one, options by number, free text where allowed. */
import { oneLine } from "../../events/printable.ts";
import type { QuestionItem } from "../../view/model.ts";
import { editKey, editorLines, editorText, emptyEditor, type EditorState } from "../editor/index.ts";
import { keyName, type Key } from "../key.ts";
import type { Line } from "../line.ts";
import type { Theme } from "../theme.ts";

export interface QuestionForm {
  readonly requestId: string;
  readonly questions: QuestionItem["questions"];
  /** Index of the current question. */
  readonly at: number;
  /** The option under the cursor; the number of options is the field for free text. */
  readonly option: number;
  readonly checked: readonly string[];
  readonly own: EditorState;
  readonly answers: Readonly<Record<string, string | readonly string[]>>;
}

export function questionForm({ requestId, questions }: Pick<QuestionItem, "requestId" | "questions">): QuestionForm {
  return { requestId, questions, at: 0, option: 0, checked: [], own: emptyEditor, answers: {} };
}

/** A question without options can only be answered with free text. */
function takesWords(question: QuestionForm["questions"][number]): boolean {
  return question.free === true || question.options.length === 0;
}

export interface FormChange {
  readonly form: QuestionForm;
  readonly handled: boolean;
  /** Set when the last question was answered. */
  readonly done?: QuestionForm["answers"];
}

export function questionKey(form: QuestionForm, key: Key): FormChange {
  const question = form.questions[form.at];
  if (question === undefined) return { form, handled: true, done: form.answers };
  const name = keyName(key);
  const count = question.options.length + (takesWords(question) ? 1 : 0);
  const inWords = form.option >= question.options.length;
  if (name === "up" || name === "down")
    return { form: { ...form, option: (form.option + (name === "up" ? count - 1 : 1)) % count }, handled: true };
  if (name === "enter") return accepted(form, question);
  if (inWords) {
    const { state, handled } = editKey(form.own, key, { width: 80 });
    return { form: { ...form, own: state }, handled };
  }
  const number = /^[1-9]$/.test(name) ? Number(name) - 1 : undefined;
  if (name === "space" || (number !== undefined && number < question.options.length)) {
    const option = number ?? form.option;
    const { label } = question.options[option]!;
    if (!question.multiple) return accepted({ ...form, option }, question);
    const checked = form.checked.includes(label)
      ? form.checked.filter((one) => one !== label)
      : [...form.checked, label];
    return { form: { ...form, option, checked }, handled: true };
  }
  // A letter starts free text.
  if (takesWords(question) && key.text !== undefined && !key.ctrl && !key.alt)
    return {
      form: { ...form, option: question.options.length, own: editKey(form.own, key, { width: 80 }).state },
      handled: true,
    };
  return { form, handled: false };
}

function accepted(form: QuestionForm, question: QuestionForm["questions"][number]): FormChange {
  const words = editorText(form.own).trim();
  const inWords = form.option >= question.options.length;
  if (inWords && words === "" && form.checked.length === 0) return { form, handled: true };
  const under = inWords ? words : question.options[form.option]!.label;
  const chosen = question.multiple
    ? [
        ...form.checked,
        ...(inWords && words !== "" ? [words] : []),
        ...(form.checked.length === 0 && !inWords ? [under] : []),
      ]
    : under;
  const answers = { ...form.answers, [question.id]: chosen };
  const next: QuestionForm = { ...form, answers, at: form.at + 1, option: 0, checked: [], own: emptyEditor };
  return { form: next, handled: true, ...(next.at >= form.questions.length ? { done: answers } : {}) };
}

export interface DrawnForm {
  readonly lines: readonly Line[];
  /** The cursor in the free text field, counted in lines. */
  readonly cursor?: { readonly line: number; readonly column: number } | undefined;
}

export function drawQuestion(form: QuestionForm, width: number, theme: Theme): DrawnForm {
  const question = form.questions[form.at];
  if (question === undefined) return { lines: [] };
  const count = form.questions.length > 1 ? theme.dim(` ${form.at + 1} of ${form.questions.length}`) : "";
  const lines: Line[] = [{ text: `${theme.bold(oneLine(question.text))}${count}` }];
  for (const [at, option] of question.options.entries()) {
    const here = at === form.option;
    const box = question.multiple ? (form.checked.includes(option.label) ? "[x] " : "[ ] ") : "";
    const detail = option.description === undefined ? "" : theme.dim(`  ${oneLine(option.description)}`);
    const label = `${at + 1}. ${box}${oneLine(option.label)}`;
    lines.push({
      prefix: here ? theme.accent("❯ ") : "  ",
      indent: "  ",
      text: `${here ? theme.bold(label) : label}${detail}`,
    });
  }
  const hint = (text: string): Line => ({ text: theme.dim(text), wrap: "cut" });
  const select = question.multiple ? "Space checks · Enter accepts" : "Enter or a number answers";
  if (!takesWords(question)) return { lines: [...lines, hint(`${select} · Esc Esc stops the turn`)] };
  const inWords = form.option >= question.options.length;
  const placeholder = question.options.length === 0 ? "Type your answer" : "Something else";
  const { lines: rows, cursor } = editorLines(form.own, Math.max(1, width - 2), {
    theme,
    prefix: "",
    placeholder,
    maxRows: 3,
  });
  const first = lines.length;
  lines.push(
    ...rows.map((text, at): Line => ({ prefix: inWords && at === 0 ? theme.accent("❯ ") : "  ", text, wrap: "cut" })),
  );
  lines.push(hint(`${select} · Esc Esc stops the turn`));
  return { lines, cursor: inWords ? { line: first + cursor.row, column: cursor.column + 2 } : undefined };
}
