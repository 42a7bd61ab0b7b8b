/** A pending permission: the exact action, and its answers. */
import { useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { oneLine } from "../../events/printable.ts";
import type { AgentAnswer } from "../../server/schemas/agents.ts";
import { alwaysOptions, answersTo, whyItAsks, type Answer, type AnswerAction } from "../../view/answer-keys.ts";
import type { PermissionItem } from "../../view/model.ts";
import { toolIcon } from "../conversation/tool-row.tsx";
import { Badge, Button, classes, Icon, Kbd } from "../ui/basics.tsx";
import { useAnswerShortcuts } from "./answer-shortcuts.ts";
import { type RequestProps, TimeLeft, useAnswer } from "./answer.tsx";
import { AlwaysList, DenyForm, EditForm, type PermissionChoice, ruleWords } from "./permission-forms.tsx";
import { PermissionSubject } from "./permission-subject.tsx";

const looks: Readonly<Record<AnswerAction, "primary" | "plain" | "danger" | "quiet">> = {
  once: "primary",
  session: "plain",
  always: "plain",
  deny: "danger",
  message: "quiet",
  edit: "quiet",
  why: "quiet",
};

interface PermissionCardProps extends RequestProps<PermissionItem> {
  readonly capabilities: AgentAnswer["capabilities"] | undefined;
}

export function PermissionCard({ session, item, mayAnswer, capabilities }: PermissionCardProps) {
  const [busy, answer] = useAnswer(session, item.requestId);
  const [open, setOpen] = useState<"always" | "message" | "edit">();
  const [why, setWhy] = useState(false);
  const heading = useId();
  const shut = busy || !mayAnswer;
  const card = useRef<HTMLElement>(null);
  const answers = answersTo(item, capabilities);
  const always = alwaysOptions(item.options);
  const forSession = answers.find((one) => one.action === "session")?.option;

  const allow = (option: PermissionChoice | undefined): void =>
    answer(option === undefined ? "allow" : { decision: "allow", optionId: option.id });
  const give = (given: Answer): void => {
    switch (given.action) {
      case "once":
      case "session":
        return allow(given.option);
      case "deny":
        return answer(given.option === undefined ? "deny" : { decision: "deny", optionId: given.option.id });
      case "always":
      case "message":
      case "edit":
        return setOpen(given.action);
      case "why":
        return setWhy(!why);
    }
  };
  const armed = useAnswerShortcuts({ card, request: item, capabilities, disabled: shut, onAnswer: give });
  const back = (): void => {
    const key = answers.find(({ action }) => action === open)?.key;
    flushSync(() => setOpen(undefined));
    // Do not drop the focus to the body: the next Escape there would cancel the turn.
    card.current?.querySelector<HTMLElement>(`[aria-keyshortcuts="${key}"]`)?.focus();
  };

  return (
    <section ref={card} className={classes("request", armed && "armed")} aria-labelledby={heading}>
      <header className="request-head">
        <Icon name={toolIcon(item.tool)} />
        <h2 id={heading}>
          <span className="request-ask">Allow?</span> <bdi>{oneLine(item.title)}</bdi>
        </h2>
        {item.mcp !== undefined && (
          <Badge>
            MCP server <bdi>{oneLine(item.mcp.server)}</bdi>
          </Badge>
        )}
        <TimeLeft deadline={item.deadline} then="Denied" />
      </header>
      {(why || item.reason !== undefined) && (
        <p className="request-reason" dir="auto">
          {oneLine(whyItAsks(item))}
        </p>
      )}
      <PermissionSubject item={item} />
      {open === "message" && (
        <DenyForm
          busy={busy}
          onCancel={back}
          onDeny={(message, stop) => answer({ decision: "deny", message, ...(stop && { stop }) })}
        />
      )}
      {open === "edit" && (
        <EditForm
          input={item.input}
          busy={busy}
          onCancel={back}
          onRun={(changedInput) => answer({ decision: "allow", changedInput })}
        />
      )}
      {open === "always" && <AlwaysList options={always} busy={busy} onCancel={back} onChoose={allow} />}
      {open === undefined && (
        <div className="request-answers">
          {answers.map((one) => (
            <Button
              key={one.key}
              look={looks[one.action]}
              disabled={shut && one.action !== "why"}
              aria-keyshortcuts={one.key}
              aria-expanded={one.action === "why" ? why : undefined}
              onClick={() => give(one)}
            >
              {one.label} <Kbd keys={one.key} />
            </Button>
          ))}
        </div>
      )}
      {forSession !== undefined && open === undefined && (
        <p className="request-rule" dir="auto">
          {oneLine(ruleWords(forSession))}
        </p>
      )}
      {!mayAnswer && <p className="request-rule">This page's token cannot answer: it needs the approve scope.</p>}
    </section>
  );
}
