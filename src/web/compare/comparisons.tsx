import { oneLine } from "../../events/printable.ts";
import type { ComparisonList } from "../../server/schemas/comparisons.ts";
import { folderName } from "../composer/folders.ts";
import { useNow } from "../format/use-now.ts";
import { ago } from "../format/when.ts";
import { useRemote } from "../panels/use-remote.ts";
import { useAgents } from "../state/agents.ts";
import { sentenceOf } from "../state/api.ts";
import { may, useMe } from "../state/me.ts";
import { NewComparison } from "./new-comparison.tsx";
import { StateBadge } from "./state-badge.tsx";

export function Comparisons() {
  const { value, error } = useRemote<ComparisonList>("/api/comparisons");
  const { agents } = useAgents();
  const now = useNow();
  const mayPrompt = may(useMe(), "prompt");
  const nameOf = (id: string): string => agents.find((agent) => agent.id === id)?.name ?? id;
  return (
    <>
      <div className="page-lead">
        <p>
          Several agents get the same prompt. Each works in a git worktree of its own, so that nothing of yours is
          touched; you look at what each of them did, and keep the one you like.
        </p>
      </div>
      {mayPrompt && <NewComparison />}
      {error !== undefined && <p role="alert">{sentenceOf(error)}</p>}
      {value !== undefined && value.comparisons.length > 0 && (
        <section aria-label="Comparisons" className="cards">
          <h2>Comparisons</h2>
          {value.comparisons.map(({ id, prompt, cwd, createdAt, entries }) => (
            <a key={id} className="card comparison-link" href={`#/compare/${encodeURIComponent(id)}`}>
              <span className="comparison-prompt" dir="auto">
                {oneLine(prompt)}
              </span>
              <span className="comparison-entries">
                {entries.map((entry) => (
                  <span key={entry.number}>
                    {nameOf(entry.agent)} <StateBadge entry={entry} />
                  </span>
                ))}
              </span>
              <small>
                {folderName(cwd)} · {ago(createdAt, now)}
              </small>
            </a>
          ))}
        </section>
      )}
    </>
  );
}
