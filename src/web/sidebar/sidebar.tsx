import { useEffect, useMemo, useRef, useState } from "react";
import type { KeyboardEvent } from "react";
import { useCloud, useCloudKept } from "../cloud/cloud.ts";
import { useNow } from "../format/use-now.ts";
import { useShortcut } from "../keyboard.ts";
import { Mark } from "../shell/mark.tsx";
import { useAgents } from "../state/agents.ts";
import { sentenceOf } from "../state/api.ts";
import { navigate, useRoute } from "../state/route.ts";
import { loadMoreSessions, useSessions } from "../state/sessions.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { entriesOf, type Entry, type EntryFilter, filtered, grouped, noFilter } from "./entries.ts";
import { EntryRow } from "./entry-row.tsx";
import { Filters } from "./filters.tsx";
import { NoEntries } from "./no-entries.tsx";
import { Places } from "./places.tsx";
import { useSearch } from "./search.ts";
import { SearchHits } from "./search-hits.tsx";
import "./sidebar.css";

/** All sessions of all agents, and the other places of the page. `onLeave`: on a phone it is a drawer, and is closed by going somewhere. */
export function Sidebar({ onLeave }: { readonly onLeave: () => void }) {
  const { sessions, loaded, loading, cursor, error } = useSessions();
  const { agents } = useAgents();
  const { entries: cloud, errors } = useCloud();
  useCloudKept();
  const [filter, setFilter] = useState<EntryFilter>(noFilter);
  const found = useSearch(filter.words);
  const now = useNow();
  const search = useRef<HTMLInputElement>(null);
  const entries = useMemo(() => entriesOf(sessions, cloud), [sessions, cloud]);
  const shown = useMemo(() => filtered(entries, filter), [entries, filter]);
  const groups = useMemo(() => grouped(shown, now), [shown, now]);
  const here = useCurrent();
  useSteps(
    groups.flatMap((group) => group.entries),
    here,
  );
  useShortcut({ keys: "/", label: "Search the sessions", group: "Anywhere" }, () => search.current?.focus());
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    // What fits best is above, wherever the list was.
    list.current?.scrollTo(0, 0);
  }, [filter]);
  const names = new Map(agents.map(({ id, name }) => [id, name]));

  return (
    <div className="sidebar-inside" onKeyDown={walk}>
      <div className="sidebar-head">
        <a className="sidebar-name" href="#/new" onClick={onLeave} aria-label="Reins, a new session">
          <Mark />
          <span>Reins</span>
        </a>
        <Button
          look="primary"
          size="small"
          icon="add"
          onClick={() => {
            navigate("/new");
            onLeave();
          }}
        >
          New session
        </Button>
      </div>
      <search className="sidebar-search">
        <Icon name="search" size={14} />
        <input
          ref={search}
          type="search"
          aria-label="Search the sessions"
          placeholder="Search"
          value={filter.words}
          onChange={(event) => setFilter({ ...filter, words: event.target.value })}
        />
      </search>
      {entries.length > 0 && <Filters entries={entries} agents={agents} filter={filter} onChange={setFilter} />}
      <nav ref={list} aria-label="Sessions" className="entries">
        {groups.map(({ label, entries: inside }) => (
          <section key={label} aria-label={label} className="entry-group">
            <h2>{label}</h2>
            {inside.map((entry) => (
              <EntryRow
                key={entry.key}
                entry={entry}
                agentName={entry.agent === undefined ? undefined : (names.get(entry.agent) ?? entry.agent)}
                current={entry.path === here}
                now={now}
                onOpen={onLeave}
              />
            ))}
          </section>
        ))}
        {loaded && shown.length === 0 && found.hits.length === 0 && !found.asking && (
          <NoEntries none={entries.length === 0} onAll={() => setFilter(noFilter)} />
        )}
        {!loaded && error !== undefined && <p className="entry-none">{sentenceOf(error)}</p>}
        {cursor !== undefined && (
          <Button look="quiet" size="small" busy={loading} onClick={() => void loadMoreSessions()}>
            Show earlier ones
          </Button>
        )}
        {[...errors].map(([agent, thrown]) => (
          <p key={agent} className="entry-none">
            {names.get(agent) ?? agent}: {sentenceOf(thrown)}
          </p>
        ))}
        <SearchHits found={found} onOpen={onLeave} />
      </nav>
      <Places onLeave={onLeave} />
    </div>
  );
}

function useCurrent(): string {
  const { parts } = useRoute();
  return `/${parts.map(encodeURIComponent).join("/")}`;
}

/** The next and the one before, from wherever the person is. */
function useSteps(entries: readonly Entry[], here: string): void {
  const step = (by: number): void => {
    const at = entries.findIndex(({ path }) => path === here);
    const next = entries[at === -1 ? (by > 0 ? 0 : entries.length - 1) : at + by];
    if (next !== undefined) navigate(next.path);
  };
  const group = "Sessions";
  useShortcut({ keys: "Alt+ArrowDown", label: "The next session", group, whileWriting: true }, () => step(1));
  useShortcut({ keys: "Alt+ArrowUp", label: "The session before", group, whileWriting: true }, () => step(-1));
}

/** The arrows lead from row to row, and out of the search into the rows. */
function walk(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  if (event.altKey || !(event.target instanceof HTMLElement) || !event.target.matches(".entry, [type=search]")) return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>(".entry")];
  const next = rows[rows.indexOf(event.target) + (event.key === "ArrowDown" ? 1 : -1)];
  const search = event.currentTarget.querySelector<HTMLElement>("[type=search]");
  (next ?? (event.key === "ArrowUp" ? search : undefined))?.focus();
  event.preventDefault();
}
