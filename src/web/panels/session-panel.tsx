import { useEffect, useMemo, useRef } from "react";
import { oneLine } from "../../events/printable.ts";
import type { Conversation, Task } from "../../view/model.ts";
import { DiffView } from "../conversation/diff-view.tsx";
import { PlanList } from "../conversation/item-view.tsx";
import { dollars, tokens } from "../format/format.ts";
import { useSession } from "../state/session.ts";
import { Badge, Disclosure, Facts, IconButton, type Tone } from "../ui/basics.tsx";
import { LimitLine, Meter } from "./limit-line.tsx";
import { changedFiles, planOf, type ChangedFile } from "./session-facts.ts";
import "./panels.css";

const ops = {
  create: { label: "new", tone: "good" },
  modify: { label: "changed", tone: "neutral" },
  delete: { label: "deleted", tone: "bad" },
  move: { label: "moved", tone: "neutral" },
} as const satisfies Record<ChangedFile["op"], { label: string; tone: Tone }>;

function ChangedFiles({ files, cwd }: { readonly files: readonly ChangedFile[]; readonly cwd: string | undefined }) {
  return (
    <ul className="changed-files">
      {files.map((file) => (
        <li key={file.path}>
          <Disclosure summary={<Summary file={file} cwd={cwd} />}>{() => <Differences file={file} />}</Disclosure>
        </li>
      ))}
    </ul>
  );
}

function Summary({ file, cwd }: { readonly file: ChangedFile; readonly cwd: string | undefined }) {
  const { path, op, added, removed } = file;
  const inside = cwd !== undefined && path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path;
  return (
    <>
      <bdi className="changed-path" title={path}>
        {oneLine(inside)}
      </bdi>
      {op !== "modify" && <Badge tone={ops[op].tone}>{ops[op].label}</Badge>}
      <LineCounts added={added} removed={removed} />
    </>
  );
}

export function LineCounts({ added, removed }: { readonly added: number; readonly removed: number }) {
  return (
    <span className="line-counts">
      <span className="plus">
        +{added}
        <span className="sr-only"> lines added</span>
      </span>
      <span className="minus">
        −{removed}
        <span className="sr-only"> lines removed</span>
      </span>
    </span>
  );
}

function Differences({ file }: { readonly file: ChangedFile }) {
  const told = file.changes.filter(({ diff }) => diff !== undefined && diff !== "");
  if (told.length === 0) return <p className="quiet-words">The agent did not report a diff.</p>;
  return told.map(({ diff = "" }, index) => (
    <DiffView key={index} narrow diff={diff} file={file.path} path={`panel:${file.path}:${index}`} />
  ));
}

const tones: Readonly<Record<string, Tone>> = { running: "accent", completed: "good", failed: "bad" };

function SessionTasks({ tasks }: { readonly tasks: readonly Task[] }) {
  if (tasks.length === 0) return null;
  return (
    <section aria-label="Background tasks">
      <h3>Background tasks</h3>
      <ul className="task-list">
        {tasks.map((task) => (
          <li key={task.taskId}>
            <span dir="auto">{oneLine(task.title) || task.taskKind}</span>
            <Badge tone={tones[task.status] ?? "neutral"}>{task.status}</Badge>
          </li>
        ))}
      </ul>
    </section>
  );
}

function SessionUsage({ usage, context, limits }: Pick<Conversation, "usage" | "context" | "limits">) {
  const used = usage?.tokens;
  const rows = [
    ["Cost", usage?.costUsd === undefined ? undefined : dollars(usage.costUsd)],
    ["Input tokens", used === undefined ? undefined : tokens(used.input)],
    ["Cache read", used?.cacheRead === undefined ? undefined : tokens(used.cacheRead)],
    ["Cache write", used?.cacheWrite === undefined ? undefined : tokens(used.cacheWrite)],
    ["Output tokens", used === undefined ? undefined : tokens(used.output)],
    ["Thinking tokens", used?.thought === undefined ? undefined : tokens(used.thought)],
  ].filter((row): row is [string, string] => row[1] !== undefined);
  const size = context?.size;
  const full = context === undefined || size === undefined || size === 0 ? undefined : (100 * context.used) / size;
  return (
    <section aria-label="Usage">
      <h3>Usage</h3>
      {rows.length === 0 && context === undefined && (
        <p className="quiet-words">Tokens and cost appear here. Not every agent reports them.</p>
      )}
      <Facts className="figures" facts={rows} />
      {context !== undefined && (
        <div className="limit-line">
          <div className="limit-words">
            <span>Context</span>
            <span className="limit-percent">
              {tokens(context.used)}
              {size !== undefined && ` of ${tokens(size)}`}
            </span>
          </div>
          {full !== undefined && <Meter label="Context, used" percent={full} tone={full > 85 ? "warn" : "normal"} />}
        </div>
      )}
      {limits.length > 0 && <h4>Plan limits</h4>}
      {limits.map((limit) => (
        <LimitLine key={limit.window} limit={limit} />
      ))}
    </section>
  );
}

interface SessionPanelProps {
  readonly id: string;
  /** `files`: opened to show the changed files. */
  readonly at: "all" | "files";
  readonly onClose: () => void;
}

/** The panel beside a conversation: plan, changed files, usage. */
export function SessionPanel({ id, at, onClose }: SessionPanelProps) {
  const changed = useRef<HTMLElement>(null);
  useEffect(() => {
    if (at === "files") changed.current?.focus();
  }, [at]);
  const { conversation, version } = useSession(id);
  // The conversation is one mutable object; `version` tells when it changed.
  const [plan, files] = useMemo(() => [planOf(conversation), changedFiles(conversation)], [conversation, version]);
  return (
    <div className="side-panel">
      <header>
        <h2>Session details</h2>
        <IconButton icon="close" label="Close panel" size="small" tipAt="below-end" onClick={onClose} />
      </header>
      <section aria-label="Plan">
        <h3>Plan</h3>
        {plan === undefined ? (
          <p className="quiet-words">The agent's plan and its progress appear here.</p>
        ) : (
          <PlanList entries={plan} />
        )}
      </section>
      <SessionTasks tasks={conversation.tasks} />
      <section ref={changed} tabIndex={-1} aria-label="Files changed">
        <h3>Files changed {files.length > 0 && <span className="count">{files.length}</span>}</h3>
        {files.length === 0 ? (
          <p className="quiet-words">Files that the agent changes appear here with their diffs.</p>
        ) : (
          <ChangedFiles files={files} cwd={conversation.cwd} />
        )}
      </section>
      <SessionUsage usage={conversation.usage} context={conversation.context} limits={conversation.limits} />
    </div>
  );
}
