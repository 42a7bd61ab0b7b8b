import { useState } from "react";
import type { SessionSummary } from "../../server/schemas/sessions.ts";
import { dotted } from "../../view/labels.ts";
import { useAgentNames, useAgents } from "../state/agents.ts";
import { toast } from "../state/messages.ts";
import { navigate } from "../state/route.ts";
import { call, sessionApi } from "../state/server.ts";
import { forgetSession, knowSession, useSummary } from "../state/sessions.ts";
import { Field, Icon } from "../ui/basics.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { ConfirmDialog, Dialog, FormDialog } from "../ui/dialog.tsx";

interface SessionDialogProps {
  readonly id: string;
  readonly onClose: () => void;
}

export function RenameDialog({ id, onClose }: SessionDialogProps) {
  const session = useSummary(id);
  const [title, setTitle] = useState(session?.title ?? "");
  const rename = async (): Promise<void> => {
    const changed = await call<SessionSummary>("PATCH", sessionApi(id), { title: title.trim() });
    if (session !== undefined) knowSession({ ...session, title: changed.title ?? title.trim() });
    onClose();
  };
  return (
    <FormDialog title="Rename session" does="Rename" ready={title.trim() !== ""} work={rename} onClose={onClose}>
      <Field label="Title" data-focus required maxLength={200} dir="auto" value={title} onChange={setTitle} />
    </FormDialog>
  );
}

export function HandoffDialog({ id, onClose }: SessionDialogProps) {
  const session = useSummary(id);
  const { agents } = useAgents();
  const nameOf = useAgentNames();
  const others = agents.filter((agent) => agent.id !== session?.agent);
  const ready = others.filter((agent) => agent.ready);
  const [to, setTo] = useState<string>();
  const chosen = to ?? ready[0]?.id;
  const handOff = async (): Promise<void> => {
    knowSession(await call<SessionSummary>("POST", `${sessionApi(id)}/handoff`, { to: chosen }));
    toast(`${nameOf(chosen ?? "")} continues the session.`, "good");
    onClose();
  };
  const title = "Hand off to another agent";
  return (
    <FormDialog title={title} does="Hand off" ready={chosen !== undefined} work={handOff} onClose={onClose}>
      <p className="quiet-words">
        The other agent gets a briefing of the conversation and works in the same folder. You can hand the session back
        at any time.
      </p>
      <fieldset className="picks">
        <legend className="sr-only">To which agent</legend>
        {ready.map((agent) => (
          <label key={agent.id} className="pick">
            <input
              type="radio"
              name="agent"
              data-focus={agent.id === chosen || undefined}
              checked={agent.id === chosen}
              onChange={() => setTo(agent.id)}
            />
            <span className="pick-words">
              <span className="pick-name">{agent.name}</span>
              <small>{dotted(agent.version, agent.signedInHow)}</small>
            </span>
          </label>
        ))}
      </fieldset>
      {ready.length === 0 && <p>No other agent is ready.</p>}
      {others.length > ready.length && (
        <p className="quiet-words">
          {others.length - ready.length === 1 ? "One more is" : `${others.length - ready.length} more are`} not ready:{" "}
          <a href="#/agents">what they need</a>.
        </p>
      )}
    </FormDialog>
  );
}

const formats = [
  { format: "html", label: "A page", detail: "A single file for any browser, without network access." },
  { format: "md", label: "Markdown", detail: "To read, or to paste elsewhere." },
  { format: "jsonl", label: "Events", detail: "Every event, one line of JSON each, for programs." },
] as const;

export function ExportDialog({ id, onClose }: SessionDialogProps) {
  const [thoughts, setThoughts] = useState(false);
  const address = (format: string): string =>
    `${sessionApi(id)}/export?format=${format}${thoughts ? "&thoughts=true" : ""}`;
  return (
    <Dialog title="Export session" onClose={onClose}>
      <label className="check-line">
        <input type="checkbox" checked={thoughts} onChange={(event) => setThoughts(event.target.checked)} />
        Include thinking
      </label>
      <ul className="picks">
        {formats.map(({ format, label, detail }) => (
          <li key={format}>
            <a
              className="pick"
              data-focus={format === formats[0].format || undefined}
              href={address(format)}
              download={`${id}.${format}`}
              onClick={onClose}
            >
              <Icon name="down" />
              <span className="pick-words">
                <span className="pick-name">{label}</span>
                <small>{detail}</small>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

/** Shows how to open this session elsewhere: Reins keeps it, not this page. */
export function ElsewhereDialog({ id, onClose }: SessionDialogProps) {
  const session = useSummary(id);
  const ways = [
    { label: "In a terminal", text: `reins resume ${id} "..."` },
    { label: "Show its log", text: `reins log ${id}` },
    { label: "In a program", text: `await reins.session({ resume: "${id}" })` },
    { label: "Folder", text: session?.cwd },
    { label: "The agent's own state", text: session?.state },
  ];
  return (
    <Dialog title="Continue elsewhere" onClose={onClose}>
      <p className="quiet-words">
        The session is stored on this machine. You can continue it elsewhere, and this page stays up to date.
      </p>
      <dl className="ways">
        {ways.map(
          ({ label, text }) =>
            text !== undefined && (
              <div key={label}>
                <dt>{label}</dt>
                <dd>
                  <code>{text}</code>
                  <CopyButton text={() => text} label={`Copy: ${label.toLowerCase()}`} />
                </dd>
              </div>
            ),
        )}
      </dl>
    </Dialog>
  );
}

export function DeleteDialog({ id, onClose }: SessionDialogProps) {
  const session = useSummary(id);
  const remove = async (): Promise<void> => {
    await call("DELETE", sessionApi(id));
    forgetSession(id);
    navigate("/new", { replace: true });
    toast("Session deleted.", "good");
  };
  return (
    <ConfirmDialog title="Delete this session?" does="Delete permanently" work={remove} onClose={onClose}>
      <p>
        <strong dir="auto">{session?.title ?? id}</strong>
      </p>
      <p className="quiet-words">
        This permanently deletes the conversation from this machine. Changed files in the folder are kept.
      </p>
    </ConfirmDialog>
  );
}
