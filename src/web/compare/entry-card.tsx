import { useMemo, useState } from "react";
import type { ComparisonEntry, EntryChanges, EntryState, KeepAnswer } from "../../server/schemas/comparisons.ts";
import { count } from "../../view/labels.ts";
import { DiffView } from "../conversation/diff-view.tsx";
import { Markdown } from "../markdown/markdown.tsx";
import { itemsOf, lineCounts } from "../panels/session-facts.ts";
import { LineCounts } from "../panels/session-panel.tsx";
import { useAgentNames } from "../state/agents.ts";
import { toast } from "../state/messages.ts";
import { sessionPath } from "../state/route.ts";
import { call, may, useMe } from "../state/server.ts";
import { useSession } from "../state/session.ts";
import { Badge, Button, Disclosure, type Tone } from "../ui/basics.tsx";
import { Trouble } from "../ui/form.tsx";
import { useDoing } from "../ui/dialog.tsx";
import { patchFiles } from "./patch-files.ts";

const states: Readonly<Record<EntryState, { readonly label: string; readonly tone: Tone }>> = {
  running: { label: "working", tone: "accent" },
  waiting: { label: "waiting for you", tone: "warn" },
  done: { label: "done", tone: "good" },
  cancelled: { label: "cancelled", tone: "neutral" },
  refused: { label: "refused", tone: "bad" },
  max_tokens: { label: "out of tokens", tone: "warn" },
  max_turns: { label: "out of turns", tone: "warn" },
  budget: { label: "out of budget", tone: "warn" },
  interrupted: { label: "interrupted", tone: "bad" },
  failed: { label: "failed", tone: "bad" },
  gone: { label: "not started", tone: "bad" },
};

export function StateBadge({ entry }: { readonly entry: ComparisonEntry }) {
  if (entry.kept !== undefined) return <Badge tone="accent">kept</Badge>;
  const { label, tone } = states[entry.state];
  return <Badge tone={tone}>{entry.state === "gone" && entry.session !== undefined ? "gone" : label}</Badge>;
}

function EntryAnswer({ session, label }: { readonly session: string; readonly label: string }) {
  const { conversation, version } = useSession(session);
  const said = useMemo(() => {
    const message = itemsOf(conversation).findLast((item) => item.kind === "message" && item.text.trim() !== "");
    // Copy the fields: the item is mutated while it streams.
    return message?.kind === "message" ? { text: message.text, streaming: message.streaming } : undefined;
  }, [conversation, version]);
  if (said === undefined) return null;
  return (
    <div className="entry-answer" tabIndex={0} role="group" aria-label={label}>
      <Markdown text={said.text} streaming={said.streaming} />
    </div>
  );
}

function EntryFiles({ changes, name }: { readonly changes: EntryChanges; readonly name: string }) {
  const { files, patch, cut, trouble } = changes;
  const diffs = useMemo(() => new Map(patchFiles(patch).map(({ path, diff }) => [path, diff])), [patch]);
  return (
    <>
      <h3 className="entry-files">
        {files.length === 0 ? "No changes" : `${count(files.length, "file")} changed`}
        {files.length > 0 && <LineCounts {...lineCounts(files)} />}
      </h3>
      {trouble !== undefined && <p className="field-error">{trouble}</p>}
      <ul className="changed-files">
        {files.map(({ path, change, added = 0, removed = 0 }) => (
          <li key={path}>
            <Disclosure
              summary={
                <>
                  <bdi className="changed-path">{path}</bdi>
                  {change !== "modified" && <Badge tone={change === "added" ? "good" : "bad"}>{change}</Badge>}
                  <LineCounts added={added} removed={removed} />
                </>
              }
            >
              {() => <DiffView diff={diffs.get(path) ?? ""} file={path} path={`compare:${name}:${path}`} />}
            </Disclosure>
          </li>
        ))}
      </ul>
      {cut && <p className="quiet-words">Some changes are not shown. See the branch for all of them.</p>}
    </>
  );
}

const ways = [
  { way: "apply", look: "primary", words: "Apply to my folder" },
  { way: "branch", look: "plain", words: "Keep as branch" },
] as const;
type Way = (typeof ways)[number]["way"];

interface EntryCardProps {
  readonly comparison: string;
  readonly entry: ComparisonEntry & EntryChanges;
  readonly onChanged: () => void;
}

export function EntryCard({ comparison, entry, onChanged }: EntryCardProps) {
  const { number, agent, model, session, state, files, error, kept, branch } = entry;
  const mayApprove = may(useMe(), "approve");
  const doing = useDoing();
  const [how, setHow] = useState<Way>();
  const name = useAgentNames()(agent);
  const keep = (how: Way): void => {
    setHow(how);
    doing.run(async () => {
      const path = `/api/comparisons/${encodeURIComponent(comparison)}/keep/${number}`;
      const answer = await call<KeepAnswer>("POST", path, { how });
      toast(
        how === "branch" ? `Kept on the branch ${answer.branch ?? branch}.` : "Changes applied to your folder.",
        "good",
      );
      onChanged();
    });
  };
  const busyWith = (way: Way) => ({ busy: doing.busy && how === way, disabled: doing.busy });
  const rests = state !== "running" && state !== "waiting";
  return (
    <article className="card entry-card" aria-label={`${number}. ${name}`}>
      <header>
        <h2>{name}</h2>
        <StateBadge entry={entry} />
        {session !== undefined && (
          <a className="entry-open" href={`#${sessionPath(session)}`}>
            {state === "waiting" ? "Answer" : "Open"}
          </a>
        )}
      </header>
      {model !== undefined && <p className="quiet-words">{model}</p>}
      {error !== undefined && (
        <p className="field-error">
          {error.message} {error.help}
        </p>
      )}
      {session !== undefined && <EntryAnswer session={session} label={`Last message of ${number}. ${name}`} />}
      <EntryFiles changes={entry} name={`${comparison}:${number}`} />
      {kept !== undefined && (
        <p className="quiet-words">
          {kept.how === "branch" ? (
            <>
              Kept on the branch <code>{kept.branch ?? branch}</code>.
            </>
          ) : (
            "Applied to your folder."
          )}
        </p>
      )}
      {kept === undefined && <Trouble text={doing.error} />}
      {mayApprove && rests && files.length > 0 && kept === undefined && (
        <footer>
          {ways.map(({ way, look, words }) => (
            <Button key={way} size="small" look={look} {...busyWith(way)} onClick={() => keep(way)}>
              {words}
            </Button>
          ))}
        </footer>
      )}
    </article>
  );
}
