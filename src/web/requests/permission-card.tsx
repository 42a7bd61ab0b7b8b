/** A permission that waits: what exactly is asked for, and the answers to it. */
import { useEffect, useId, useRef, useState, type KeyboardEvent } from "react";
import { flushSync } from "react-dom";
import { oneLine, printable } from "../../events/printable.ts";
import type { PermissionItem } from "../../view/model.ts";
import { DiffView } from "../conversation/diff-view.tsx";
import { LongText } from "../conversation/row-parts.tsx";
import { inputText, toolIcon } from "../conversation/tool-row.tsx";
import { Markdown } from "../markdown/markdown.tsx";
import { Button, Icon, Kbd, onEscape } from "../ui/basics.tsx";
import { Form } from "../ui/form.tsx";
import { type RequestProps, TimeLeft, useAnswer } from "./answer.tsx";

type Option = PermissionItem["options"][number];

/** There may be several `always`: for the session, for the project. */
export function choicesOf(options: readonly Option[]) {
  return {
    once: options.find(({ kind }) => kind === "allow_once"),
    always: options.filter(({ kind }) => kind === "allow_always"),
    deny: options.find(({ kind }) => kind === "reject_once") ?? options.find(({ kind }) => kind === "reject_always"),
  };
}

const reach = {
  once: "this once",
  session: "for this session",
  project: "in this folder",
  user: "everywhere",
} as const;

/** The label of its button: how far it reaches, where that is known. */
export function alwaysLabel({ label, scope }: Option): string {
  return scope === undefined || scope === "once" ? label : `Always ${reach[scope]}`;
}

/** An answer for the session adds no rule: it is gone with the session. */
export function ruleWords({ label, rule, scope }: Option): string {
  if (rule === undefined) return label;
  return scope === "session" ? `allows “${rule}”` : `adds the rule “${rule}”`;
}

interface DenyFormProps {
  readonly busy: boolean;
  readonly onDeny: (message: string, stop: boolean) => void;
  readonly onCancel: () => void;
}

function DenyForm({ busy, onDeny, onCancel }: DenyFormProps) {
  const [message, setMessage] = useState("");
  const [stop, setStop] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <Form
      className="deny-form"
      onSubmit={() => onDeny(message.trim(), stop)}
      onKeyDown={onEscape((event) => {
        event.preventDefault();
        onCancel();
      })}
    >
      <input
        ref={field}
        type="text"
        aria-label="What the agent is told"
        placeholder="What should it do instead?"
        value={message}
        onChange={(event) => setMessage(event.target.value)}
      />
      <label className="check">
        <input type="checkbox" checked={stop} onChange={(event) => setStop(event.target.checked)} /> and end the turn
      </label>
      <div className="deny-buttons">
        <Button type="submit" look="danger" busy={busy} disabled={message.trim() === "" && !stop}>
          Deny
        </Button>
        <Button look="quiet" onClick={onCancel}>
          Back
        </Button>
      </div>
    </Form>
  );
}

/** The command, the change, the plan, or the fields as they are. */
function PermissionSubject({ item }: { readonly item: PermissionItem }) {
  const { tool, input, diff, requestId, title } = item;
  const { plan } = (input ?? {}) as { readonly plan?: unknown };
  if (tool === "plan" && typeof plan === "string")
    return (
      <div className="request-subject request-plan" tabIndex={0} role="region" aria-label="The plan">
        <Markdown text={plan} />
      </div>
    );
  const given = inputText(input);
  return (
    <div className="request-subject">
      {/* Its title ends with the name of the file. */}
      {diff !== undefined && diff !== "" && <DiffView diff={diff} path={requestId} file={title} />}
      {given?.kind === "command" && (
        <LongText className="command" text={printable(given.text)} label="Command" path={`${requestId}:in`} />
      )}
      {given?.kind === "fields" && (diff === undefined || diff === "") && (
        <LongText text={printable(given.text)} label="Input" path={`${requestId}:in`} />
      )}
    </div>
  );
}

export function PermissionCard({ session, item, mayAnswer }: RequestProps<PermissionItem>) {
  const [busy, answer] = useAnswer(session, item.requestId);
  const [denying, setDenying] = useState(false);
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
        <TimeLeft deadline={item.deadline} then="Denied" />
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
