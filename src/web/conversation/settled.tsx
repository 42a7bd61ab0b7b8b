import { oneLine } from "../../events/printable.ts";
import type { PermissionItem, QuestionItem } from "../../view/model.ts";
import { permissionWords, questionWords } from "../../view/words.ts";
import { Line } from "./line.tsx";

/** Where something was asked, and what became of it. The question itself, while it waits, is above the composer. */
export function Settled({ item }: { readonly item: PermissionItem | QuestionItem }) {
  const asked =
    item.kind === "permission" ? oneLine(item.title) : item.questions.map(({ text }) => oneLine(text)).join(" · ");
  if (item.resolution === undefined)
    return (
      <Line icon={item.kind === "permission" ? "shield" : "help"} tone="warn">
        Waits for your answer: <bdi>{asked}</bdi>
      </Line>
    );
  if (item.kind === "question")
    return (
      <Line icon="help">
        <bdi>{asked}</bdi> · {questionWords(item.resolution)}
      </Line>
    );
  return (
    <Line icon="shield">
      <bdi>{asked}</bdi> · {permissionWords(item.resolution)}
    </Line>
  );
}
