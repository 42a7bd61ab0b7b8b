/** The repository bar: `repo > branch > STATUS (PR #n) [action →]`. */
import { useState } from "react";
import { oneLine, printable } from "../../events/printable.ts";
import { safeAddress } from "../../view/markdown/nodes.ts";
import { missingWords, repositoryLabel, type RepositoryStatus } from "../../view/repository.ts";
import type { RepositoryActionResult } from "../../view/repository-actions.ts";
import type { UiSettings } from "../../view/ui-settings.ts";
import { shortcutOf, useShortcut } from "../keyboard.ts";
import { toast, toastError } from "../state/messages.ts";
import { call, may, useMe } from "../state/server.ts";
import { Button, classes, Kbd, Spinner } from "../ui/basics.tsx";
import { Dialog, useDoing } from "../ui/dialog.tsx";
import { textOn } from "./text-on.ts";
import { useRepository } from "./use-repository.ts";
import "./repository.css";

export interface RepositoryBarProps {
  readonly cwd: string;
  readonly ui: Pick<UiSettings, "breadcrumb" | "leader">;
  /** A session whose file changes trigger a refresh. */
  readonly session?: string | undefined;
  readonly running?: boolean | undefined;
  /** Target of an action's prompt: the agent at once, or the prompt field. */
  readonly promptGoes: "to the agent" | "to the field";
  readonly onPrompt: (text: string) => Promise<void>;
}

const post = (body: object): Promise<RepositoryActionResult> => call("POST", "/api/repository/action", body);

export function RepositoryBar(props: RepositoryBarProps) {
  const { cwd, session, running, ui } = props;
  const { placement, pollIntervalMs } = ui.breadcrumb;
  const { status, refresh } = useRepository({ cwd, session, running, pollIntervalMs });
  const place = classes("repository-bar", `at-${placement}`);
  if (status === undefined)
    return (
      <p className={place} aria-busy="true">
        <Spinner /> Loading the repository…
      </p>
    );
  return status === null ? null : <Bar {...props} place={place} repository={status} refresh={refresh} />;
}

interface BarProps extends RepositoryBarProps {
  readonly place: string;
  readonly repository: RepositoryStatus;
  readonly refresh: () => void;
}

function Bar({ cwd, ui, promptGoes, onPrompt, place, repository, refresh }: BarProps) {
  const me = useMe();
  const [busy, setBusy] = useState(false);
  const [planned, setPlanned] = useState<Exclude<RepositoryActionResult, { kind: "ran" }>>();
  const { repoName, branch, status, prNumber, prUrl, prTitle, action, missing } = repository;
  const { label, color } = repositoryLabel(status);
  const href = prUrl === null ? undefined : safeAddress(prUrl);
  const offered = ui.breadcrumb.showAction && may(me, "prompt");
  const press = async (): Promise<void> => {
    if (!offered || busy) return;
    if (missing !== undefined) return toast(missingWords[missing].help);
    setBusy(true);
    try {
      const result = await post({ cwd, skill: action.skill });
      if (result.kind !== "ran") setPlanned(result);
    } catch (thrown) {
      toastError(thrown);
    }
    setBusy(false);
  };
  const keys = `${shortcutOf(ui.leader)} b`;
  useShortcut(
    { keys, label: "Next step of the repository", group: "In a session", whileWriting: true },
    () => void press(),
  );
  const number = prNumber === null ? undefined : `(PR #${prNumber})`;
  return (
    <nav className={place} aria-label="Repository">
      <bdi className="repository-name">{oneLine(repoName)}</bdi>
      <span aria-hidden="true">&gt;</span>
      <bdi className="repository-branch">{oneLine(branch)}</bdi>
      <span aria-hidden="true">&gt;</span>
      <span className="repository-status" style={{ background: color, color: textOn(color) }}>
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
      {offered && missing !== undefined && (
        <span title={missingWords[missing].help}>({missingWords[missing].label})</span>
      )}
      {offered && missing === undefined && (
        <Button
          size="small"
          className="repository-action"
          busy={busy}
          title={action.description}
          onClick={() => void press()}
        >
          {action.label} → <Kbd keys={keys} />
        </Button>
      )}
      {planned !== undefined && (
        <ActionDialog
          planned={planned}
          title={action.label}
          cwd={cwd}
          promptGoes={promptGoes}
          onPrompt={onPrompt}
          onDone={refresh}
          onClose={() => setPlanned(undefined)}
        />
      )}
    </nav>
  );
}

interface ActionDialogProps extends Pick<RepositoryBarProps, "cwd" | "promptGoes" | "onPrompt"> {
  readonly planned: Exclude<RepositoryActionResult, { kind: "ran" }>;
  readonly title: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Asks for confirmation and shows the commands or the prompt: both change more than this folder. */
function ActionDialog({ planned, title, cwd, promptGoes, onPrompt, onDone, onClose }: ActionDialogProps) {
  const { busy, error, run } = useDoing();
  const mayRun = may(useMe(), planned.kind === "commands" ? "approve" : "prompt");
  const work = async (): Promise<void> => {
    if (planned.kind === "prompt") {
      await onPrompt(planned.text);
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
            {planned.kind === "commands"
              ? "Run"
              : promptGoes === "to the agent"
                ? "Send to the agent"
                : "Insert into the prompt"}
          </Button>
        </>
      }
    >
      {planned.kind === "commands" ? (
        <p>These commands will run in the session's folder:</p>
      ) : (
        <p>
          This prompt goes {promptGoes}
          {planned.source.from === "project" && <> (from {oneLine(planned.source.path)})</>}:
        </p>
      )}
      <pre className="repository-shown" tabIndex={0} aria-label={planned.kind === "commands" ? "Commands" : "Prompt"}>
        {printable(planned.kind === "commands" ? planned.shown : planned.text)}
      </pre>
      {planned.kind === "prompt" && planned.notes.map((note) => <p key={note}>{oneLine(note)}</p>)}
      {!mayRun && <p>This page's token cannot run commands: it needs the approve scope.</p>}
    </Dialog>
  );
}
