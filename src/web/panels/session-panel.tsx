import { useMemo } from "react";
import { PlanList } from "../conversation/plan-view.tsx";
import { useSession } from "../state/session.ts";
import { IconButton } from "../ui/button.tsx";
import { ChangedFiles } from "./changed-files.tsx";
import { changedFiles, planOf } from "./session-facts.ts";
import { SessionTasks } from "./session-tasks.tsx";
import { SessionUsage } from "./session-usage.tsx";
import "./panels.css";

interface SessionPanelProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** Beside a conversation: the plan, the files that changed, what it used. */
export function SessionPanel({ id, onClose }: SessionPanelProps) {
  const { conversation, version } = useSession(id);
  // The conversation is one object that grows: its version says when to look again.
  const [plan, files] = useMemo(() => [planOf(conversation), changedFiles(conversation)], [conversation, version]);
  return (
    <div className="side-panel">
      <header>
        <h2>About this session</h2>
        <IconButton icon="close" label="Close the panel" size="small" tipAt="below-end" onClick={onClose} />
      </header>
      <section aria-label="Plan">
        <h3>Plan</h3>
        {plan === undefined ? (
          <p className="quiet-words">When the agent makes a plan, its steps are ticked off here.</p>
        ) : (
          <PlanList entries={plan} />
        )}
      </section>
      <SessionTasks tasks={conversation.tasks} />
      <section aria-label="Files changed">
        <h3>Files changed {files.length > 0 && <span className="count">{files.length}</span>}</h3>
        {files.length === 0 ? (
          <p className="quiet-words">Files that the agent changes are collected here, each with its differences.</p>
        ) : (
          <ChangedFiles files={files} cwd={conversation.cwd} />
        )}
      </section>
      <SessionUsage usage={conversation.usage} context={conversation.context} limits={conversation.limits} />
    </div>
  );
}
