/** The sidebar list: sessions, and search results inside conversations. */
import { oneLine } from "../../events/printable.ts";
import type { SearchAnswer } from "../../server/schemas/sessions.ts";
import { folderName } from "../composer/folder-field.tsx";
import { ago, moment } from "../format/format.ts";
import { navigate, sessionPath } from "../state/route.ts";
import { useTyped } from "../state/remote.ts";
import { Button, classes, Dot, Icon, Spinner } from "../ui/basics.tsx";
import type { Entry, EntryState } from "./entries.ts";

const marks = {
  waiting: { tone: "warn", label: "waiting for an answer" },
  running: { tone: "accent", label: "working" },
  failed: { tone: "bad", label: "failed" },
  resting: undefined,
} as const satisfies Record<EntryState, unknown>;

interface EntryRowProps {
  readonly entry: Entry;
  readonly agentName: string | undefined;
  readonly current: boolean;
  readonly now: number;
  readonly onOpen: () => void;
}

export function EntryRow({ entry, agentName, current, now, onOpen }: EntryRowProps) {
  const { path, title, place, at, state, cloud } = entry;
  const mark = marks[state];
  return (
    <a
      href={`#${path}`}
      className={classes("entry", state)}
      aria-current={current ? "page" : undefined}
      title={`${title}\n${place}\n${moment(at)}`}
      onClick={onOpen}
    >
      <span className="entry-title">
        <bdi>{title}</bdi>
        {mark !== undefined && <Dot tone={mark.tone} pulse={state === "running"} label={mark.label} />}
      </span>
      <span className="entry-more">
        {cloud && <Icon name="cloud" size={12} />}
        {agentName !== undefined && <span className="entry-agent">{agentName}</span>}
        {place !== "" && <bdi className="entry-place">{folderName(place)}</bdi>}
        <span className="entry-when">{ago(at, now)}</span>
      </span>
    </a>
  );
}

interface NoEntriesProps {
  readonly none: boolean;
  readonly onAll: () => void;
}

export function NoEntries({ none, onAll }: NoEntriesProps) {
  if (none)
    return (
      <div className="no-entries">
        <p>
          <strong>No sessions yet.</strong>
        </p>
        <p>A session is a conversation with an agent about a folder. The sessions of all agents are listed here.</p>
        <Button size="small" onClick={() => navigate("/new")}>
          Start a session
        </Button>
      </div>
    );
  return (
    <div className="no-entries">
      <p>No matching sessions.</p>
      <Button size="small" onClick={onAll}>
        Show all
      </Button>
    </div>
  );
}

type Found = ReturnType<typeof useSearch>;

/** Searches the text of conversations, on the server. */
export function useSearch(typed: string) {
  const words = typed.trim();
  const path = words.length < 2 ? undefined : `/api/search?limit=20&q=${encodeURIComponent(words.slice(0, 500))}`;
  const { value, asking, failed } = useTyped<SearchAnswer>(path, 250);
  return { hits: value?.hits ?? [], asking, failed };
}

/** Search results inside conversations. One row per session, for its first match. */
export function SearchHits({ found, onOpen }: { readonly found: Found; readonly onOpen: () => void }) {
  if (found.hits.length === 0 && !found.asking && !found.failed) return null;
  const first = new Map(found.hits.toReversed().map((hit) => [hit.session.id, hit]));
  return (
    <section aria-label="Found in conversations" className="entry-group" aria-busy={found.asking}>
      <h2>In conversations {found.asking && <Spinner size={11} />}</h2>
      {[...first.values()].toReversed().map(({ session, excerpt, seq }) => (
        <a key={session.id} href={`#${sessionPath(session.id, seq)}`} className="entry" onClick={onOpen}>
          <span className="entry-title">
            <bdi>{oneLine(session.title ?? "") || "Untitled"}</bdi>
          </span>
          <span className="entry-excerpt" dir="auto">
            {oneLine(excerpt)}
          </span>
        </a>
      ))}
      {found.failed && <p className="entry-none">The search failed.</p>}
    </section>
  );
}
