import type { PlanItem } from "../../view/model.ts";
import { planWords } from "../../view/words.ts";
import { oneLine } from "../../events/printable.ts";
import { Disclosure } from "../ui/disclosure.tsx";
import { Icon } from "../ui/icon.tsx";
import { useOpen } from "./openness.ts";

const words = { completed: "done", in_progress: "now", pending: "to do" } as const;

export function PlanView({ item, path }: { readonly item: PlanItem; readonly path: string }) {
  const [open, setOpen] = useOpen(path);
  return (
    <Disclosure
      className="plan"
      open={open}
      onToggle={setOpen}
      summary={
        <>
          <Icon name="plan" size={14} />
          <span dir="auto">{planWords(item)}</span>
        </>
      }
    >
      {() => <PlanList entries={item.entries} />}
    </Disclosure>
  );
}

export function PlanList({ entries }: Pick<PlanItem, "entries">) {
  return (
    <ol className="plan-list">
      {entries.map((entry, index) => (
        <li key={index} className={`plan-${entry.status}`}>
          <span className="plan-mark" role="img" aria-label={words[entry.status]}>
            {entry.status === "completed" && <Icon name="check" size={12} />}
          </span>
          <span dir="auto">{oneLine(entry.text)}</span>
        </li>
      ))}
    </ol>
  );
}
