import { useId, useRef, useState } from "react";
import type { KeyboardEvent } from "react";
import { flushSync } from "react-dom";
import { oneLine } from "../../events/printable.ts";
import type { PermissionItem } from "../../view/model.ts";
import { toolIcon } from "../conversation/tool-icon.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Kbd } from "../ui/kbd.tsx";
import { DenyForm } from "./deny-form.tsx";
import { PermissionSubject } from "./permission-subject.tsx";
import { alwaysLabel, choicesOf, ruleWords } from "./rule-words.ts";
import { useAnswer } from "./use-answer.ts";
import { useDeadline } from "./use-deadline.ts";

interface PermissionCardProps {
  readonly session: string;
  readonly item: PermissionItem;
  readonly mayAnswer: boolean;
}

/** What exactly is asked for, and the answers to it. */
export function PermissionCard({ session, item, mayAnswer }: PermissionCardProps) {
  const [busy, answer] = useAnswer(session, item.requestId);
  const [denying, setDenying] = useState(false);
  const left = useDeadline(item.deadline);
  const heading = useId();
  const { once, always, deny } = choicesOf(item.options);
  const shut = busy || !mayAnswer;
  const card = useRef<HTMLElement>(null);

  const allow = (): void => answer(once === undefined ? "allow" : { decision: "allow", optionId: once.id });
  const refuse = (): void => answer(deny === undefined ? "deny" : { decision: "deny", optionId: deny.id });
  const onKeyDown = (event: KeyboardEvent): void => {
    const typing = event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLInputElement;
    if (shut || typing || event.altKey || event.ctrlKey || event.metaKey) return;
    const first = always[0];
    if (event.key === "y") allow();
    else if (event.key === "a" && first !== undefined) answer({ decision: "allow", optionId: first.id });
    else if (event.key === "n") refuse();
    else if (event.key === "m") setDenying(true);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <section ref={card} className="request" aria-labelledby={heading} onKeyDown={onKeyDown}>
      <header className="request-head">
        <Icon name={toolIcon(item.tool)} />
        <h2 id={heading}>
          <span className="request-ask">Allow?</span> <bdi>{oneLine(item.title)}</bdi>
        </h2>
        {left !== undefined && (
          <span className="request-left" title="Denied then, if nobody answers">
            <span className="sr-only">Denied if nobody answers within </span>
            <Icon name="wait" size={14} /> {left}
            <span aria-hidden="true"> left</span>
          </span>
        )}
      </header>
      {item.reason !== undefined && (
        <p className="request-reason" dir="auto">
          {oneLine(item.reason)}
        </p>
      )}
      <PermissionSubject item={item} />
      {denying ? (
        <DenyForm
          busy={busy}
          onCancel={() => {
            flushSync(() => setDenying(false));
            // Not to nowhere: there the next Escape would cancel the turn.
            card.current?.querySelector<HTMLElement>(".request-deny .quiet")?.focus();
          }}
          onDeny={(message, stop) => answer({ decision: "deny", message, ...(stop && { stop }) })}
        />
      ) : (
        <div className="request-answers">
          <Button look="primary" disabled={shut} onClick={allow} aria-keyshortcuts="y">
            Allow once <Kbd keys="y" />
          </Button>
          {always.map((option, index) => (
            <Button
              key={option.id}
              disabled={shut}
              aria-keyshortcuts={index === 0 ? "a" : undefined}
              onClick={() => answer({ decision: "allow", optionId: option.id })}
            >
              {oneLine(alwaysLabel(option))} {index === 0 && <Kbd keys="a" />}
            </Button>
          ))}
          <div className="request-deny">
            <Button look="danger" disabled={shut} onClick={refuse} aria-keyshortcuts="n">
              Deny <Kbd keys="n" />
            </Button>
            <Button look="quiet" disabled={shut} onClick={() => setDenying(true)} aria-keyshortcuts="m">
              Deny with a word <Kbd keys="m" />
            </Button>
          </div>
        </div>
      )}
      {always.length > 0 && !denying && (
        <ul className="request-rules">
          {always.map((option) => (
            <li key={option.id} dir="auto">
              <strong>{oneLine(alwaysLabel(option))}:</strong> {oneLine(ruleWords(option))}
            </li>
          ))}
        </ul>
      )}
      {!mayAnswer && <p className="request-rule">This page's token may not answer; it needs the scope approve.</p>}
    </section>
  );
}
