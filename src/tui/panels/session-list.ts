/** All sessions of all agents: waiting, running and finished; search, resume, fork and hand off. */
import type { RunningAgent, TurnResult } from "../../core/api.ts";
import { oneLine } from "../../events/printable.ts";
import { count } from "../../view/labels.ts";
import type { App } from "../app/app.ts";
import type { SessionState, SessionView } from "../app/session-view.ts";
import { emptyEditor, isEmpty, setText } from "../editor/index.ts";
import { fill } from "./fill.ts";
import { picker, type Picker, type PickerItem } from "../app/overlay.ts";
import { pickAgent } from "./pickers.ts";

const stateWords: Readonly<Record<SessionState, string>> = {
  new: "new",
  loading: "loading",
  running: "running",
  waiting: "waiting for you",
  idle: "finished",
  failed: "failed",
};

const outcomeWords: Readonly<Partial<Record<TurnResult["outcome"], string>>> = {
  done: "finished",
  cancelled: "stopped",
};

/** Waiting sessions first, then running ones. */
const order: Readonly<Record<SessionState, number>> = {
  ...{ waiting: 0, running: 1, loading: 2, failed: 3, idle: 3, new: 4 },
};

function stateMark({ theme }: App, state: SessionState): string {
  if (state === "waiting") return theme.warning("●");
  if (state === "running" || state === "loading") return theme.accent("●");
  return state === "failed" ? theme.error("✗") : theme.dim("○");
}

function openItem(app: App, view: SessionView): PickerItem {
  const here = view === app.sessions.active ? "on the screen" : undefined;
  const draft = isEmpty(view.editor) ? undefined : "draft";
  const queued = view.queue.length === 0 ? undefined : `${view.queue.length} queued`;
  return {
    id: view.key,
    label: oneLine(view.name),
    mark: stateMark(app, view.state),
    detail: [view.agent, stateWords[view.state], queued, draft, here].filter(Boolean).join(" · "),
  };
}

/** `query` is the initial search text. */
export function pickSession(app: App, query = ""): void {
  const open = app.sessions.views
    .toSorted((a, b) => order[a.state] - order[b.state])
    .map((view) => openItem(app, view));
  const shown: Picker = {
    ...picker("Sessions", open, (item) => app.attempt(async () => void (await show(app, item))), {
      keys: [
        { key: "o", label: "hand off", run: (item) => handOff(app, item) },
        { key: "k", label: "fork", run: (item) => fork(app, item) },
      ],
      search: (words) => searchSessions(app, words),
    }),
    query: setText(emptyEditor, query),
  };
  fill(app, shown, async () => [...open, ...(await keptItems(app))]);
}

async function keptItems(app: App): Promise<readonly PickerItem[]> {
  const reins = await app.reins();
  const [kept, running] = await Promise.all([
    reins.sessions.list({ limit: 200 }),
    reins.running().catch((): readonly RunningAgent[] => []),
  ]);
  const known = new Set(app.sessions.views.map(({ id }) => id));
  const held = new Set(running.map(({ session }) => session));
  return kept
    .filter(({ id }) => !known.has(id))
    .map(({ id, title, agent, cwd, updatedAt, turns, openTurn, outcome }): PickerItem => {
      const ended = outcome && (outcomeWords[outcome] ?? outcome);
      const state = openTurn !== undefined ? "running" : held.has(id) ? "open elsewhere" : ended;
      const when = updatedAt.slice(0, 16).replace("T", " ");
      const folder = cwd === app.host.cwd ? undefined : oneLine(cwd);
      return {
        id,
        label: oneLine(title ?? id),
        mark: stateMark(app, openTurn !== undefined ? "running" : outcome === "failed" ? "failed" : "idle"),
        detail: [agent, state, count(turns, "turn"), when, folder].filter(Boolean).join(" · "),
      };
    });
}

async function show(app: App, { id }: PickerItem): Promise<SessionView> {
  const view = app.sessions.views.find(({ key }) => key === id);
  return view === undefined ? app.sessions.open(id) : app.sessions.show(view);
}

function handOff(app: App, item: PickerItem): void {
  app.overlay = undefined;
  app.attempt(async () => {
    await show(app, item);
    pickAgent(app);
    app.draw();
  });
}

function fork(app: App, { id }: PickerItem): void {
  const view = app.sessions.views.find(({ key }) => key === id);
  const name = view === undefined ? id : view.id;
  if (name === undefined) return app.flash("Send a prompt first: there is nothing to fork yet.");
  app.overlay = undefined;
  app.attempt(() => forkSession(app, name));
}

export async function forkSession(app: App, name: string): Promise<void> {
  const forked = await (await app.reins()).sessions.fork(name);
  await app.sessions.open(forked.id);
  app.flash("This is the copy. Files in the folder were not copied.", 5_000);
}

/** Searches the text of all stored sessions. */
function searchSessions(app: App, words: string): void {
  if (words.trim() === "") return app.flash("Type a search text, then press Ctrl+S.");
  const title = `Sessions with “${oneLine(words.trim())}”`;
  const accept = (item: PickerItem): void => app.attempt(async () => void (await show(app, item)));
  fill(app, { ...picker(title, [], accept), empty: "No sessions found." }, async () => {
    const hits = await (await app.reins()).sessions.search(words.trim(), { limit: 100 });
    const bySession = new Map(hits.toReversed().map((hit) => [hit.session.id, hit]));
    return [...bySession.values()].toReversed().map(({ session, excerpt }) => ({
      id: session.id,
      label: oneLine(session.title ?? session.id),
      mark: app.theme.dim("○"),
      detail: oneLine(`${session.agent ?? ""} · ${excerpt}`),
    }));
  });
}
