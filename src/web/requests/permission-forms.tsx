/** Answers to a permission that take more than one key: a message, a changed input, or one of several rules. */
import { useEffect, useRef, useState } from "react";
import { oneLine } from "../../events/printable.ts";
import { editableInput, editedInput } from "../../view/answer-keys.ts";
import type { PermissionItem } from "../../view/model.ts";
import { Button, onEscape } from "../ui/basics.tsx";
import { Form, Trouble } from "../ui/form.tsx";

export type PermissionChoice = PermissionItem["options"][number];

interface SubformProps {
  readonly busy: boolean;
  readonly onCancel: () => void;
}

const closesOn = (onCancel: () => void) =>
  onEscape((event) => {
    event.preventDefault();
    onCancel();
  });

interface DenyFormProps extends SubformProps {
  readonly onDeny: (message: string, stop: boolean) => void;
}

export function DenyForm({ busy, onDeny, onCancel }: DenyFormProps) {
  const [message, setMessage] = useState("");
  const [stop, setStop] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <Form className="deny-form" onSubmit={() => onDeny(message.trim(), stop)} onKeyDown={closesOn(onCancel)}>
      <input
        ref={field}
        type="text"
        aria-label="Message to the agent"
        placeholder="What should the agent do instead?"
        value={message}
        onChange={(event) => setMessage(event.target.value)}
      />
      <label className="check">
        <input type="checkbox" checked={stop} onChange={(event) => setStop(event.target.checked)} /> and stop the turn
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

interface EditFormProps extends SubformProps {
  readonly input: unknown;
  readonly onRun: (input: Readonly<Record<string, unknown>>) => void;
}

/** Edits the input before it runs: a command as plain text, else JSON. Ctrl+Enter runs it. */
export function EditForm({ input, busy, onRun, onCancel }: EditFormProps) {
  const [text, setText] = useState(() => editableInput(input));
  const [error, setError] = useState<string>();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const run = (): void => {
    const edited = editedInput(input, text);
    if ("error" in edited) setError(edited.error);
    else onRun(edited.input);
  };
  return (
    <Form
      className="deny-form"
      onSubmit={run}
      onKeyDown={(event) => {
        closesOn(onCancel)(event);
        if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        run();
      }}
    >
      <textarea
        ref={field}
        className="edit-input"
        aria-label="Edited input"
        spellCheck={false}
        rows={Math.min(12, Math.max(2, text.split("\n").length))}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setError(undefined);
        }}
      />
      <Trouble text={error} />
      <div className="deny-buttons">
        <Button type="submit" look="primary" busy={busy}>
          Run with this input
        </Button>
        <Button look="quiet" onClick={onCancel}>
          Back
        </Button>
      </div>
    </Form>
  );
}

const reach = {
  once: "Once",
  session: "In this session",
  project: "In this folder",
  user: "Everywhere",
} as const;

/** The scope of an option and the rule it adds. An answer for the session adds no stored rule. */
export function ruleWords({ rule, scope }: PermissionChoice): string {
  const where = scope === undefined ? "Remembered by the agent" : reach[scope];
  if (rule === undefined) return where;
  return scope === "session" ? `${where}: allows “${rule}”` : `${where}: adds the rule “${rule}”`;
}

interface AlwaysListProps extends SubformProps {
  /** From the narrowest to the widest scope. */
  readonly options: readonly PermissionChoice[];
  readonly onChoose: (option: PermissionChoice) => void;
}

export function AlwaysList({ options, busy, onChoose, onCancel }: AlwaysListProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => list.current?.querySelector("button")?.focus(), []);
  return (
    <div ref={list} role="group" aria-label="Always allow" className="always-list" onKeyDown={closesOn(onCancel)}>
      {options.map((option) => (
        <button
          key={option.id}
          type="button"
          className="starter"
          disabled={busy}
          onClick={() => onChoose(option)}
          onKeyDown={(event) => {
            const { nextElementSibling, previousElementSibling } = event.currentTarget;
            const next = { ArrowDown: nextElementSibling, ArrowUp: previousElementSibling }[event.key];
            if (!(next instanceof HTMLElement)) return;
            event.preventDefault();
            next.focus();
          }}
        >
          <span>
            <bdi>{oneLine(option.label)}</bdi>
            <small dir="auto">{oneLine(ruleWords(option))}</small>
          </span>
        </button>
      ))}
      <Button look="quiet" onClick={onCancel}>
        Back
      </Button>
    </div>
  );
}
