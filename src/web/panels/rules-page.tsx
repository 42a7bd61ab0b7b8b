import { useState } from "react";
import { modes, type Mode } from "../../events/modes.ts";
import { oneLine } from "../../events/printable.ts";
import type { Tool } from "../../events/tools.ts";
import type { PolicyAnswer, PolicyTrialAnswer, RemovedRule } from "../../server/schemas/settings.ts";
import { folderName, knownFolders } from "../composer/folder-field.tsx";
import { modeLabel } from "../composer/pickers.tsx";
import { toast, toastError } from "../state/messages.ts";
import { useRemote } from "../state/remote.ts";
import { call, may, useMe } from "../state/server.ts";
import { useSessions } from "../state/sessions.ts";
import { Badge, Button, Empty, Field, IconButton, Pending } from "../ui/basics.tsx";
import { Form } from "../ui/form.tsx";
import { useDoing } from "../ui/dialog.tsx";
import { Select } from "../ui/select.tsx";
import "./panels.css";
import "./pages.css";

/** The typed text as the input of a tool, and the label of its field. */
function trialInput(tool: Tool, text: string): { readonly label: string; readonly input: unknown } {
  switch (tool) {
    case "shell":
      return { label: "Command", input: { command: text } };
    case "web_fetch":
      return { label: "Address", input: { url: text } };
    default:
      return { label: "Path", input: { path: text } };
  }
}

const tones = { allow: "good", deny: "bad", ask: "warn" } as const;
const sources: Readonly<Record<string, string>> = {
  call: "asked for by a program",
  project: "from the project",
  answer: "your answer",
  person: "your configuration",
};

function RuleRow({ rule, onRemove }: { readonly rule: RemovedRule; readonly onRemove?: (() => void) | undefined }) {
  const said = oneLine(rule.said);
  return (
    <li className="rule">
      <Badge tone={tones[rule.rule.decision]}>{rule.rule.decision}</Badge>
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

/** Tools that have rules and whose input is a single text. */
const tools = ["shell", "read", "write", "edit", "delete", "web_fetch"] as const satisfies readonly Tool[];
const words = { allow: "It would be allowed", deny: "It would be denied", ask: "You would be asked" } as const;

/** Shows how the rules would decide and why. Runs nothing. */
function RuleTrial({ cwd }: { readonly cwd: string | undefined }) {
  const [tool, setTool] = useState<Tool>("shell");
  const [mode, setMode] = useState<Mode>("ask");
  const [text, setText] = useState("");
  const [trial, setTrial] = useState<PolicyTrialAnswer>();
  const { busy, error, run } = useDoing();
  const { label, input } = trialInput(tool, text);
  const test = (): void =>
    run(async () => {
      setTrial(undefined);
      const body = { ...(cwd !== undefined && { cwd }), tool, input, mode };
      setTrial(await call<PolicyTrialAnswer>("POST", "/api/policy/test", body));
    });
  return (
    <section aria-label="Test the rules" className="card">
      <h2>What would be decided?</h2>
      <Form className="trial" onSubmit={test}>
        <div className="trial-choices">
          <Select
            label="Tool"
            value={tool}
            options={tools.map((value) => ({ value, label: value }))}
            onChange={setTool}
          />
          <Select
            label="Mode"
            value={mode}
            options={modes.map((value) => ({ value, label: modeLabel(value) }))}
            onChange={setMode}
          />
        </div>
        <Field label={label} error={error} required maxLength={2000} value={text} onChange={setText} />
        <Button type="submit" busy={busy} disabled={text.trim() === ""}>
          Test
        </Button>
      </Form>
      <div role="status">
        {trial !== undefined && (
          <p className="trial-answer">
            <Badge tone={tones[trial.decision]}>{trial.decision}</Badge>
            <span>
              {words[trial.decision]}: {trial.why}
            </span>
          </p>
        )}
      </div>
    </section>
  );
}

export function RulesPage() {
  const me = useMe();
  const { sessions } = useSessions();
  const folders = knownFolders(me, sessions);
  const [chosen, setChosen] = useState<string>();
  const cwd = chosen ?? folders[0];
  const query = cwd === undefined ? "" : `?cwd=${encodeURIComponent(cwd)}`;
  const { value, error, reload } = useRemote<PolicyAnswer>(`/api/policy${query}`);
  const remove = async (rule: RemovedRule): Promise<void> => {
    await call("DELETE", `/api/policy/${rule.number}${query}`).then(
      () => toast(`Rule removed: ${rule.said}`, "good"),
      toastError,
    );
    reload();
  };
  return (
    <>
      <div className="page-lead">
        <p>
          When an agent wants to use a tool, these rules are checked in order and the first match decides. Without a
          match, the mode of the session decides.
        </p>
        {cwd !== undefined && (
          <Select
            label="Folder"
            icon="folder"
            align="end"
            value={cwd}
            options={folders.map((folder) => ({ value: folder, label: folderName(folder), detail: folder }))}
            onChange={setChosen}
          />
        )}
      </div>
      <Pending value={value} error={error} words="Loading rules…" />
      {value?.remarks.map((remark) => (
        <p key={remark} className="warn-line">
          {remark}
        </p>
      ))}
      {value !== undefined && value.rules.length === 0 && (
        <Empty icon="rule" title="No rules for this folder">
          <p>
            Answer a request with “Always” to add a rule. It is listed here, and you can remove it. Rules for all
            folders are in <code>reins.config.json</code>.
          </p>
        </Empty>
      )}
      {value !== undefined && value.rules.length > 0 && (
        <ol className="rules" aria-label="Rules">
          {value.rules.map((rule) => (
            <RuleRow
              key={`${rule.number} ${rule.said}`}
              rule={rule}
              onRemove={rule.source === "answer" && may(me, "admin") ? () => void remove(rule) : undefined}
            />
          ))}
        </ol>
      )}
      <RuleTrial cwd={cwd} />
    </>
  );
}
