/** The repository of a session's folder, above its conversation: `repo > branch > STATUS (PR #n) [action →]`. */
import { useEffect, useState } from "react";
import { oneLine, printable } from "../../events/printable.ts";
import { safeAddress } from "../../view/markdown/nodes.ts";
import { repositoryLabel, type RepositoryStatus } from "../../view/repository.ts";
import type { RepositoryActionResult } from "../../view/repository-actions.ts";
import { toast, toastError } from "../state/messages.ts";
import { useRemote } from "../state/remote.ts";
import { call, may, sessionApi, useMe } from "../state/server.ts";
import { Button, Spinner } from "../ui/basics.tsx";
import { Dialog, useDoing } from "../ui/dialog.tsx";
import "./repository.css";

const pollIntervalMs = 30_000;

type RepositoryReply = { readonly repository: RepositoryStatus | null };

interface RepositoryBarProps {
  readonly session: string;
  readonly cwd: string;
  readonly running: boolean;
}

const post = (body: object): Promise<RepositoryActionResult> => call("POST", "/api/repository/action", body);

export function RepositoryBar({ session, cwd, running }: RepositoryBarProps) {
  const { value, error, reload } = useRemote<RepositoryReply>(`/api/repository?cwd=${encodeURIComponent(cwd)}`);
  const me = useMe();
  const [busy, setBusy] = useState(false);
  const [planned, setPlanned] = useState<Exclude<RepositoryActionResult, { kind: "ran" }>>();
  useEffect(() => {
    // Also after each turn: this effect runs again when `running` changes.
    if (!running) reload();
  }, [running, reload]);
  useEffect(() => {
    const look = (): void => {
      if (document.visibilityState === "visible") reload();
    };
    const timer = setInterval(look, pollIntervalMs);
    window.addEventListener("focus", look);
    return () => {
      clearInterval(timer);
      window.removeEventListener("focus", look);
    };
  }, [reload]);

  if (value === undefined)
    return error === undefined ? (
      <p className="repository-bar" aria-busy="true">
        <Spinner /> Reading the repository …
      </p>
    ) : null;
  const { repository } = value;
  if (repository === null) return null;
  const { repoName, branch, status, prNumber, prUrl, prTitle, action } = repository;
  const { label, color } = repositoryLabel(status);
  const href = prUrl === null ? undefined : safeAddress(prUrl);
  const press = async (): Promise<void> => {
    setBusy(true);
    try {
      const result = await post({ cwd, skill: action.skill });
      if (result.kind !== "ran") setPlanned(result);
    } catch (thrown) {
      toastError(thrown);
    }
    setBusy(false);
  };
  const number = prNumber === null ? undefined : `(PR #${prNumber})`;
  return (
    <nav className="repository-bar" aria-label="Repository">
      <bdi className="repository-name">{oneLine(repoName)}</bdi>
      <span aria-hidden="true">&gt;</span>
      <bdi className="repository-branch">{oneLine(branch)}</bdi>
      <span aria-hidden="true">&gt;</span>
      <span className="repository-status" style={{ ["--state" as string]: color }}>
        {label}
      </span>
      {number !== undefined &&
        (href === undefined ? (
          <span className="repository-pr">{number}</span>
        ) : (
          <a
            className="repository-pr"
            href={href}
            title={oneLine(prTitle ?? "")}
            target="_blank"
            rel="noopener noreferrer nofollow"
          >
            {number}
          </a>
        ))}
      {may(me, "prompt") && (
        <Button size="small" busy={busy} title={action.description} onClick={() => void press()}>
          {action.label} →
        </Button>
      )}
      {planned !== undefined && (
        <ActionDialog
          planned={planned}
          title={action.label}
          session={session}
          cwd={cwd}
          onDone={reload}
          onClose={() => setPlanned(undefined)}
        />
      )}
    </nav>
  );
}

interface ActionDialogProps {
  readonly planned: Exclude<RepositoryActionResult, { kind: "ran" }>;
  readonly title: string;
  readonly session: string;
  readonly cwd: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Asked once, with the commands that run or the prompt that is sent: both change more than this folder. */
function ActionDialog({ planned, title, session, cwd, onDone, onClose }: ActionDialogProps) {
  const { busy, error, run } = useDoing();
  const mayRun = may(useMe(), planned.kind === "commands" ? "approve" : "prompt");
  const work = async (): Promise<void> => {
    if (planned.kind === "prompt") {
      await call("POST", `${sessionApi(session)}/turns`, { prompt: planned.text, whenBusy: "queue" });
    } else {
      const ran = await post({ cwd, skill: planned.skill, confirm: true, shown: planned.shown });
      if (ran.kind === "ran" && ran.exitCode !== 0)
        throw new Error(oneLine(ran.output).slice(-500) || "The command failed.");
      toast(`${title}: done.`, "good");
    }
    onDone();
    onClose();
  };
  return (
    <Dialog
      title={`${title}?`}
      onClose={onClose}
      error={error}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button data-focus look="primary" busy={busy} disabled={!mayRun} onClick={() => run(work)}>
            {planned.kind === "commands" ? "Run" : "Send to the agent"}
          </Button>
        </>
      }
    >
      {planned.kind === "commands" ? (
        <p>These commands run in the folder of the session:</p>
      ) : (
        <p>
          This prompt is sent to the current agent
          {planned.source.from === "project" && <> (from {oneLine(planned.source.path)})</>}:
        </p>
      )}
      <pre className="repository-shown" tabIndex={0} aria-label={planned.kind === "commands" ? "Commands" : "Prompt"}>
        {printable(planned.kind === "commands" ? planned.shown : planned.text)}
      </pre>
      {planned.kind === "prompt" && planned.notes.map((note) => <p key={note}>{oneLine(note)}</p>)}
      {!mayRun && <p>This page's token may not run commands; it needs the scope approve.</p>}
    </Dialog>
  );
}
