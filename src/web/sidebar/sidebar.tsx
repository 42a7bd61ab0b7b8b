import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from "react";
import type { AgentAnswer } from "../../server/schemas/agents.ts";
import { cloudStore, useCloudKept } from "../cloud/cloud.ts";
import { folderName } from "../composer/folder-field.tsx";
import { useNow } from "../format/format.ts";
import { useShortcut } from "../keyboard.ts";
import { keysOpen } from "../keys-overlay.tsx";
import { places } from "../routes.tsx";
import { Mark } from "../shell/frame.tsx";
import { useAgentNames, useAgents } from "../state/agents.ts";
import { navigate, useRoute } from "../state/route.ts";
import { sentenceOf } from "../state/server.ts";
import { loadMoreSessions, useSessions } from "../state/sessions.ts";
import { useStore } from "../state/store.ts";
import { Button, Icon } from "../ui/basics.tsx";
import { Select } from "../ui/select.tsx";
import { entriesOf, filtered, grouped, noFilter, type Entry, type EntryFilter } from "./entries.ts";
import { EntryRow, NoEntries, SearchHits, useSearch } from "./entry-list.tsx";
import { soughtSessions } from "./find-sessions.ts";
import "./sidebar.css";

function Places({ onLeave }: { readonly onLeave: () => void }) {
  const { parts } = useRoute();
  return (
    <nav aria-label="Pages" className="places">
      {places
        .filter(({ hidden }) => hidden !== true)
        .map(({ path, label, icon }) => (
          <a key={path} href={`#/${path}`} aria-current={parts[0] === path ? "page" : undefined} onClick={onLeave}>
            <Icon name={icon} />
            {label}
          </a>
        ))}
      <button
        type="button"
        onClick={() => {
          onLeave();
          keysOpen.set(true);
        }}
      >
        <Icon name="help" />
        Shortcuts
      </button>
    </nav>
  );
}

interface FiltersProps {
  readonly entries: readonly Entry[];
  readonly agents: readonly AgentAnswer[];
  readonly filter: EntryFilter;
  readonly onChange: (filter: EntryFilter) => void;
}

const states = [
  { value: "all", label: "All" },
  { value: "running", label: "Working" },
  { value: "waiting", label: "Waiting" },
] as const;

/** Filters of the session list. A filter with a single choice is hidden. */
function Filters({ entries, agents, filter, onChange }: FiltersProps) {
  const used = new Set(entries.map(({ agent }) => agent));
  const places = [...new Set(entries.map(({ place }) => place))].filter((place) => place !== "").sort();
  const waiting = entries.filter(({ state }) => state === "waiting").length;
  const running = entries.filter(({ state }) => state === "running").length;
  const counts = { all: undefined, running, waiting };
  return (
    <div className="filters">
      <div role="group" aria-label="Filter sessions" className="segments">
        {states.map(({ value, label }) => (
          <button
            key={value}
            type="button"
            aria-pressed={filter.state === value}
            onClick={() => onChange({ ...filter, state: value })}
          >
            {label}
            {(counts[value] ?? 0) > 0 && <span className="count">{counts[value]}</span>}
          </button>
        ))}
      </div>
      {(used.size > 1 || places.length > 1) && (
        <div className="filter-row">
          {used.size > 1 && (
            <Select
              label="Agent"
              look="quiet"
              value={filter.agent ?? ""}
              options={[
                { value: "", label: "All agents" },
                ...agents.filter(({ id }) => used.has(id)).map(({ id, name }) => ({ value: id, label: name })),
              ]}
              onChange={(agent) => onChange({ ...filter, agent: agent === "" ? undefined : agent })}
            />
          )}
          {places.length > 1 && (
            <Select
              label="Folder"
              look="quiet"
              value={filter.place ?? ""}
              options={[
                { value: "", label: "All folders" },
                ...places.map((place) => ({ value: place, label: folderName(place), detail: place })),
              ]}
              onChange={(place) => onChange({ ...filter, place: place === "" ? undefined : place })}
            />
          )}
        </div>
      )}
    </div>
  );
}

/** All sessions of all agents, and the other pages. `onLeave` closes the drawer on a phone after a navigation. */
export function Sidebar({ onLeave }: { readonly onLeave: () => void }) {
  const { sessions, loaded, loading, cursor, error } = useSessions();
  const { agents } = useAgents();
  const { entries: cloud, errors } = useStore(cloudStore);
  useCloudKept();
  const [filter, setFilter] = useState<EntryFilter>(noFilter);
  const found = useSearch(filter.words);
  const now = useNow();
  const search = useRef<HTMLInputElement>(null);
  const entries = useMemo(() => entriesOf(sessions, cloud), [sessions, cloud]);
  const shown = useMemo(() => filtered(entries, filter), [entries, filter]);
  const groups = useMemo(() => grouped(shown, now), [shown, now]);
  const here = `/${useRoute().parts.map(encodeURIComponent).join("/")}`;
  useSteps(
    groups.flatMap((group) => group.entries),
    here,
  );
  const sought = useStore(soughtSessions);
  useEffect(() => {
    if (sought === undefined) return;
    soughtSessions.set(undefined);
    setFilter({ ...noFilter, words: sought.words });
    search.current?.focus();
  }, [sought]);
  useShortcut({ keys: "/", label: "Search sessions", group: "Anywhere" }, () => search.current?.focus());
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    // The best match is at the top.
    list.current?.scrollTo(0, 0);
  }, [filter]);
  const nameOf = useAgentNames();

  return (
    <div className="sidebar-inside" onKeyDown={walk}>
      <div className="sidebar-head">
        <a className="sidebar-name" href="#/new" onClick={onLeave} aria-label="Reins, new session">
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
          aria-label="Search sessions"
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
                agentName={entry.agent && nameOf(entry.agent)}
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
            Show more
          </Button>
        )}
        {[...errors].map(([agent, thrown]) => (
          <p key={agent} className="entry-none">
            {nameOf(agent)}: {sentenceOf(thrown)}
          </p>
        ))}
        <SearchHits found={found} onOpen={onLeave} />
      </nav>
      <Places onLeave={onLeave} />
    </div>
  );
}

function useSteps(entries: readonly Entry[], here: string): void {
  const step = (by: number): void => {
    const at = entries.findIndex(({ path }) => path === here);
    const next = entries[at === -1 ? (by > 0 ? 0 : entries.length - 1) : at + by];
    if (next !== undefined) navigate(next.path);
  };
  const group = "Sessions";
  useShortcut({ keys: "Alt+ArrowDown", label: "Next session", group, whileWriting: true }, () => step(1));
  useShortcut({ keys: "Alt+ArrowUp", label: "Previous session", group, whileWriting: true }, () => step(-1));
}

/** Arrow keys move from row to row, and from the search field into the rows. */
function walk(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  if (event.altKey || !(event.target instanceof HTMLElement) || !event.target.matches(".entry, [type=search]")) return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>(".entry")];
  const next = rows[rows.indexOf(event.target) + (event.key === "ArrowDown" ? 1 : -1)];
  const search = event.currentTarget.querySelector<HTMLElement>("[type=search]");
  (next ?? (event.key === "ArrowUp" ? search : undefined))?.focus();
  event.preventDefault();
}
