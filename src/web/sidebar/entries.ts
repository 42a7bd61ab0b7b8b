/** Rows of the sidebar: sessions of every agent and cloud agents, in one list. */
import { oneLine } from "../../events/printable.ts";
import type { SessionSummary } from "../../server/schemas/sessions.ts";
import type { CloudEntry } from "../cloud/cloud.ts";
import { daysAgo } from "../format/format.ts";

export type EntryState = "waiting" | "running" | "failed" | "resting";

export interface Entry {
  readonly key: string;
  readonly path: string;
  readonly title: string;
  readonly agent: string | undefined;
  /** A folder of this machine, or a repository. */
  readonly place: string;
  readonly at: string;
  readonly state: EntryState;
  readonly cloud: boolean;
}

export interface EntryFilter {
  readonly words: string;
  readonly state: "all" | "waiting" | "running";
  readonly agent: string | undefined;
  readonly place: string | undefined;
}

export const noFilter: EntryFilter = { words: "", state: "all", agent: undefined, place: undefined };

export function entriesOf(sessions: readonly SessionSummary[], cloud: readonly CloudEntry[]): readonly Entry[] {
  const held = new Set(sessions.map(({ state }) => state));
  const elsewhere = cloud.filter(({ work }) => !held.has(work.state)).map(cloudEntry);
  return [...sessions.map(sessionEntry), ...elsewhere].sort((a, b) => b.at.localeCompare(a.at));
}

function sessionEntry(session: SessionSummary): Entry {
  const { id, title = "", agent, cwd, updatedAt } = session;
  return {
    key: id,
    path: `/s/${encodeURIComponent(id)}`,
    title: oneLine(title) || "Untitled",
    agent,
    place: cwd,
    at: updatedAt,
    state: stateOf(session),
    cloud: false,
  };
}

function stateOf({ waiting, running, outcome }: SessionSummary): EntryState {
  if (waiting.length > 0) return "waiting";
  if (running) return "running";
  return outcome === "failed" || outcome === "interrupted" ? "failed" : "resting";
}

function cloudEntry({ agent, work }: CloudEntry): Entry {
  const { id, name = "", repositories, status, updatedAt, createdAt } = work;
  return {
    key: `${agent}:${id}`,
    path: `/cloud/${encodeURIComponent(agent)}/${encodeURIComponent(id)}`,
    title: oneLine(name) || "Untitled",
    agent,
    place: repositories[0] ?? "",
    at: updatedAt ?? createdAt ?? "",
    state: status === "working" ? "running" : status === "failed" ? "failed" : "resting",
    cloud: true,
  };
}

export function filtered(entries: readonly Entry[], { words, state, agent, place }: EntryFilter): readonly Entry[] {
  const wanted = words
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  return entries.filter((entry) => {
    if (state !== "all" && entry.state !== state) return false;
    if ((agent !== undefined && entry.agent !== agent) || (place !== undefined && entry.place !== place)) return false;
    const text = `${entry.title} ${entry.agent ?? ""} ${entry.place}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

/** Waiting first, then running, then by day. */
export function grouped(entries: readonly Entry[], now: number) {
  const groups = new Map<string, Entry[]>();
  const order = ["Waiting for you", "Working", "Today", "Yesterday", "This week", "Earlier"];
  for (const label of order) groups.set(label, []);
  for (const entry of entries) groups.get(labelOf(entry, now))?.push(entry);
  return [...groups].map(([label, inside]) => ({ label, entries: inside })).filter((group) => group.entries.length > 0);
}

function labelOf({ state, at }: Entry, now: number): string {
  if (state === "waiting") return "Waiting for you";
  if (state === "running") return "Working";
  const days = at === "" ? Infinity : daysAgo(at, now);
  if (days <= 0) return "Today";
  if (days === 1) return "Yesterday";
  return days < 7 ? "This week" : "Earlier";
}
