import { useEffect, useState } from "react";
import { printable } from "../../events/printable.ts";
import type { ComparisonDetails, RemovedComparison } from "../../server/schemas/comparisons.ts";
import { toast } from "../state/messages.ts";
import { useRemote } from "../state/remote.ts";
import { navigate, useRoute } from "../state/route.ts";
import { call, may, useMe } from "../state/server.ts";
import { useSessions } from "../state/sessions.ts";
import { Button, Icon, Pending } from "../ui/basics.tsx";
import { ConfirmDialog } from "../ui/dialog.tsx";
import { Comparisons } from "./comparisons.tsx";
import { EntryCard } from "./entry-card.tsx";
import "../panels/panels.css";
import "../panels/pages.css";
import "./compare.css";

/** Poll interval for the changes while an agent is running. */
const everyMs = 4_000;

function ComparisonView({ id }: { readonly id: string }) {
  const { value, error, reload } = useRemote<ComparisonDetails>(`/api/comparisons/${encodeURIComponent(id)}`);
  const [removing, setRemoving] = useState(false);
  const isAdmin = may(useMe(), "admin");
  // Stop polling while the comparison is being removed.
  useFollowed(removing ? undefined : value, reload);
  return (
    <>
      <div className="page-lead">
        <a href="#/compare" className="back-link">
          <Icon name="back" size={14} /> All comparisons
        </a>
        {isAdmin && value !== undefined && (
          <Button look="danger" size="small" icon="trash" onClick={() => setRemoving(true)}>
            Remove
          </Button>
        )}
      </div>
      {value === undefined && <Pending error={error} words="Loading results…" />}
      {value !== undefined && (
        <>
          <blockquote className="comparison-asked" dir="auto">
            {printable(value.prompt)}
          </blockquote>
          <p className="quiet-words">
            In {value.cwd}, from commit <code>{value.base.slice(0, 10)}</code>
            {value.uncommitted > 0 &&
              `. ${value.uncommitted === 1 ? "One file has" : `${value.uncommitted} files have`} uncommitted changes, which the agents do not see`}
            .
          </p>
          <div className="entry-cards">
            {value.entries.map((entry) => (
              <EntryCard key={entry.number} comparison={id} entry={entry} onChanged={reload} />
            ))}
          </div>
        </>
      )}
      {removing && <RemoveDialog id={id} onClose={() => setRemoving(false)} />}
    </>
  );
}

function useFollowed(value: ComparisonDetails | undefined, reload: () => void): void {
  const { sessions } = useSessions();
  const mine = new Set(value?.entries.map(({ session }) => session));
  const states = sessions
    .filter((session) => mine.has(session.id))
    .map(({ id, running, waiting }) => `${id} ${running} ${waiting.length}`)
    .join();
  useEffect(() => {
    if (states !== "") reload();
  }, [states, reload]);
  const working = value?.entries.some(({ state }) => state === "running") === true;
  useEffect(() => {
    if (!working) return undefined;
    const timer = setInterval(() => document.visibilityState === "visible" && reload(), everyMs);
    return () => clearInterval(timer);
  }, [working, reload]);
}

function RemoveDialog({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const remove = async (): Promise<void> => {
    const { branches } = await call<RemovedComparison>("DELETE", `/api/comparisons/${encodeURIComponent(id)}`);
    toast(
      branches.length === 0 ? "Comparison removed." : `Comparison removed. Kept branches: ${branches.join(", ")}.`,
      "good",
    );
    navigate("/compare");
  };
  return (
    <ConfirmDialog title="Remove this comparison?" does="Remove" work={remove} onClose={onClose}>
      <p>This deletes its worktrees and the branches you did not keep. Its sessions are kept.</p>
    </ConfirmDialog>
  );
}

/** Compares agents on one prompt: `#/compare` lists comparisons and starts one, `#/compare/<id>` shows one. */
export function ComparePage() {
  const [, id] = useRoute().parts;
  return id === undefined ? <Comparisons /> : <ComparisonView key={id} id={id} />;
}
