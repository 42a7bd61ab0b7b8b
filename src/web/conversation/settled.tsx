import { oneLine } from "../../events/printable.ts";
import type { PermissionItem, QuestionItem } from "../../view/model.ts";
import { permissionWords, questionWords } from "../../view/words.ts";
import { Line } from "./line.tsx";

/** Where something was asked, and what became of it. While it waits it is above the composer, and not said twice. */
export function Settled({ item }: { readonly item: PermissionItem | QuestionItem }) {
  const asked =
    item.kind === "permission" ? oneLine(item.title) : item.questions.map(({ text }) => oneLine(text)).join(" · ");
  // What was cancelled with its turn nobody has decided: the turn says it.
  if (item.resolution === undefined || item.resolution.by === "cancel") return null;
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
