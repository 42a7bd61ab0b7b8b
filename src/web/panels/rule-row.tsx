import type { RemovedRule } from "../../server/schemas/settings.ts";
import { oneLine } from "../../events/printable.ts";
import { Badge, type Tone } from "../ui/badge.tsx";
import { IconButton } from "../ui/button.tsx";

const tones: Readonly<Record<string, Tone>> = { allow: "good", deny: "bad", ask: "warn" };
const sources: Readonly<Record<string, string>> = {
  call: "asked for by a program",
  project: "from the project",
  answer: "your answer",
  person: "your configuration",
};

interface RuleRowProps {
  readonly rule: RemovedRule;
  readonly onRemove?: (() => void) | undefined;
}

export function RuleRow({ rule, onRemove }: RuleRowProps) {
  const said = oneLine(rule.said);
  return (
    <li className="rule">
      <Badge tone={tones[rule.rule.decision] ?? "neutral"}>{rule.rule.decision}</Badge>
      <div className="rule-words">
        <code>{said}</code>
        <small>
          {sources[rule.source] ?? rule.source}
          {rule.file !== undefined && ` · ${oneLine(rule.file)}`}
          {rule.rule.reason !== undefined && ` · ${oneLine(rule.rule.reason)}`}
        </small>
        {rule.note !== undefined && <small className="warn-words">{oneLine(rule.note)}</small>}
      </div>
      {onRemove !== undefined && (
        <IconButton icon="trash" label={`Remove: ${said}`} size="small" tipAt="below-end" onClick={onRemove} />
      )}
    </li>
  );
}
