import { useState } from "react";
import type { PolicyAnswer, RemovedRule } from "../../server/schemas/settings.ts";
import { folderName, knownFolders } from "../composer/folders.ts";
import { call, sentenceOf } from "../state/api.ts";
import { may, useMe } from "../state/me.ts";
import { useSessions } from "../state/sessions.ts";
import { toast, toastError } from "../state/toasts.ts";
import { Empty } from "../ui/empty.tsx";
import { Select } from "../ui/select.tsx";
import { Spinner } from "../ui/spinner.tsx";
import { RuleRow } from "./rule-row.tsx";
import { RuleTrial } from "./rule-trial.tsx";
import { useRemote } from "./use-remote.ts";
import "./panels.css";
import "./pages.css";

/** Who may do what without asking, in one folder. */
export function RulesPage() {
  const me = useMe();
  const { sessions } = useSessions();
  const folders = knownFolders(me, sessions);
  const [chosen, setChosen] = useState<string>();
  const cwd = chosen ?? folders[0];
  const path = `/api/policy${cwd === undefined ? "" : `?cwd=${encodeURIComponent(cwd)}`}`;
  const { value, error, reload } = useRemote<PolicyAnswer>(path);
  const remove = async (rule: RemovedRule): Promise<void> => {
    try {
      await call("DELETE", `/api/policy/${rule.number}${cwd === undefined ? "" : `?cwd=${encodeURIComponent(cwd)}`}`);
      toast(`No longer: ${rule.said}`, "good");
    } catch (thrown) {
      toastError(thrown);
    }
    reload();
  };
  return (
    <>
      <div className="page-lead">
        <p>
          When an agent wants to use a tool, these are asked from the first to the last: the first that fits decides.
          Where none does, the mode of the session decides.
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
      {error !== undefined && <p role="alert">{sentenceOf(error)}</p>}
      {value === undefined && error === undefined && (
        <p className="page-busy">
          <Spinner /> Reading the rules …
        </p>
      )}
      {value?.remarks.map((remark) => (
        <p key={remark} className="warn-line">
          {remark}
        </p>
      ))}
      {value !== undefined && value.rules.length === 0 && (
        <Empty icon="rule" title="No rules for this folder">
          <p>
            Answer a permission with “Always”, and the rule that it makes is listed here, where you can take it back.
            Rules for every folder stand in <code>reins.config.json</code>.
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
