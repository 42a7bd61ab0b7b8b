import { useState } from "react";
import type { ComparisonEntry, EntryChanges, KeepAnswer } from "../../server/schemas/comparisons.ts";
import { useAgents } from "../state/agents.ts";
import { call } from "../state/api.ts";
import { may, useMe } from "../state/me.ts";
import { sessionPath } from "../state/route.ts";
import { toast } from "../state/toasts.ts";
import { useDoing } from "../ui/use-doing.ts";
import { Button } from "../ui/button.tsx";
import { EntryFiles } from "./entry-files.tsx";
import { EntryAnswer } from "./entry-answer.tsx";
import { StateBadge } from "./state-badge.tsx";

interface EntryCardProps {
  readonly comparison: string;
  readonly entry: ComparisonEntry & EntryChanges;
  readonly onChanged: () => void;
}

/** What one agent made of it. */
export function EntryCard({ comparison, entry, onChanged }: EntryCardProps) {
  const { number, agent, model, session, state, files, error, kept, branch } = entry;
  const { agents } = useAgents();
  const mayApprove = may(useMe(), "approve");
  const doing = useDoing();
  const [how, setHow] = useState<"branch" | "apply">();
  const name = agents.find(({ id }) => id === agent)?.name ?? agent;
  const keep = (how: "branch" | "apply"): void => {
    setHow(how);
    doing.run(async () => {
      const path = `/api/comparisons/${encodeURIComponent(comparison)}/keep/${number}`;
      const answer = await call<KeepAnswer>("POST", path, { how });
      toast(
        how === "branch" ? `It is on the branch ${answer.branch ?? branch}.` : "Its changes are in your folder now.",
        "good",
      );
      onChanged();
    });
  };
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
      {session !== undefined && <EntryAnswer session={session} label={`What ${number}. ${name} said last`} />}
      <EntryFiles changes={entry} name={`${comparison}:${number}`} />
      {kept !== undefined && (
        <p className="quiet-words">
          {kept.how === "branch" ? (
            <>
              Kept on the branch <code>{kept.branch ?? branch}</code>.
            </>
          ) : (
            "Put into your folder."
          )}
        </p>
      )}
      {doing.error !== undefined && kept === undefined && (
        <p className="field-error" role="alert">
          {doing.error}
        </p>
      )}
      {mayApprove && rests && files.length > 0 && kept === undefined && (
        <footer>
          <Button
            size="small"
            look="primary"
            busy={doing.busy && how === "apply"}
            disabled={doing.busy}
            onClick={() => keep("apply")}
          >
            Put into my folder
          </Button>
          <Button
            size="small"
            busy={doing.busy && how === "branch"}
            disabled={doing.busy}
            onClick={() => keep("branch")}
          >
            Keep as a branch
          </Button>
        </footer>
      )}
    </article>
  );
}
