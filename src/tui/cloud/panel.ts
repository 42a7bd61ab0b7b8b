/** The list of cloud agents: badges, conversation, follow-up, stop, delete, and the target of new ones. */
import { chooseCloud, requireReady, type ChosenCloud, type CloudAgent } from "../../commands/cloud.ts";
import { toReinsError } from "../../events/errors.ts";
import { oneLine } from "../../events/printable.ts";
import { cloudBadge, repositoryName, targetWords, type CloudTarget } from "../../view/cloud.ts";
import type { App } from "../app/app.ts";
import { picker, type PickerItem, type PickerKey } from "../app/overlay.ts";
import { askTarget } from "./target-form.ts";

const pageSize = 50;
const more = "more";
const target = "target";

/** Everything loaded so far. */
interface Listed extends ChosenCloud {
  /** The target of new agents, in words. */
  readonly place: string;
  readonly agents: readonly CloudAgent[];
  readonly cursor?: string | undefined;
}

export function showCloud(app: App): void {
  app.overlay = picker("Cloud agents", [], () => undefined, { loading: true });
  const { accept } = app.overlay;
  app.attempt(async () => {
    try {
      const reins = await app.reins();
      const chosen = await chooseCloud(reins);
      await requireReady(reins, chosen.agent);
      const { cwd } = app.sessions.active;
      const [page, { remembered, suggested }] = await Promise.all([
        chosen.cloud.list({ limit: pageSize }),
        reins.cloudTarget({ cwd }),
      ]);
      app.cloudAgents = working(page.agents);
      if (app.overlay?.kind === "picker" && app.overlay.accept === accept)
        show(app, { ...chosen, ...page, place: targetWords(remembered ?? suggested) });
    } catch (thrown) {
      if (app.overlay?.kind === "picker" && app.overlay.accept === accept) app.overlay = undefined;
      throw thrown;
    } finally {
      app.draw();
    }
  });
}

export function working(agents: readonly CloudAgent[]): number {
  return agents.filter(({ status }) => status === "working").length;
}

function itemOf(app: App, { id, name, status, repositories, branches, updatedAt, createdAt }: CloudAgent): PickerItem {
  const { theme } = app;
  const { label, tone } = cloudBadge(status);
  const style = { accent: theme.accent, good: theme.success, bad: theme.error, neutral: theme.dim }[tone];
  const pullRequest = branches.find((branch) => branch.pullRequest !== undefined)?.pullRequest;
  const facts = [
    repositories[0] === undefined ? undefined : repositoryName(repositories[0]),
    (updatedAt ?? createdAt)?.slice(0, 16).replace("T", " "),
    pullRequest,
  ];
  const detail = facts.filter((fact) => fact !== undefined).map(oneLine);
  return { id, label: oneLine(name ?? "") || id, mark: style(label.padEnd(8)), detail: detail.join(" · ") };
}

/** Shows the list and keeps the filter and the chosen row. */
function show(app: App, listed: Listed, chosen?: number): void {
  const { agents, cursor, place } = listed;
  const before = app.overlay?.kind === "picker" ? app.overlay : undefined;
  const items = agents.map((agent) => itemOf(app, agent));
  const mark = app.theme.accent("▸".padEnd(8));
  const last: readonly PickerItem[] = [
    ...(cursor === undefined ? [] : [{ id: more, label: "Load more…", mark }]),
    { id: target, label: "Repository of new agents", detail: place, mark },
  ];
  const accept = ({ id }: PickerItem): void => {
    const found = agents.find((agent) => agent.id === id);
    if (id === target) changeTarget(app, listed);
    else if (id === more && cursor !== undefined) loadMore(app, listed, cursor);
    else if (found !== undefined) openAgent(app, listed, found);
  };
  const hint = items.length === 0 ? "No cloud agents yet. Start one with & and a prompt." : undefined;
  app.overlay = {
    ...picker("Cloud agents", [...items, ...last], accept, { keys: keysOf(app, listed), hint }),
    chosen: chosen ?? Math.min(before?.chosen ?? 0, Math.max(0, items.length - 1)),
    ...(before !== undefined && { query: before.query }),
  };
  app.draw();
}

const isAgent = (id: string): boolean => id !== more && id !== target;

function loadMore(app: App, listed: Listed, cursor: string): void {
  show(app, listed, listed.agents.length);
  app.flash("Loading more…", 30_000);
  app.attempt(async () => {
    try {
      const page = await listed.cloud.list({ limit: pageSize, cursor });
      const known = new Set(listed.agents.map(({ id }) => id));
      // Pages may overlap when agents were added in the meantime.
      const added = page.agents.filter(({ id }) => !known.has(id));
      if (app.overlay?.kind === "picker")
        show(app, { ...listed, agents: [...listed.agents, ...added], cursor: page.cursor }, listed.agents.length);
    } finally {
      app.flash("");
    }
  });
}

function keysOf(app: App, listed: Listed): readonly PickerKey[] {
  const { cloud } = listed;
  return [
    {
      key: "s",
      label: "stop",
      run: ({ id }) => {
        if (!isAgent(id)) return;
        app.attempt(async () => {
          const stopped = await cloud.stop(id);
          app.flash(stopped ? "Run stopped." : "It is not running.", 4_000);
          await refresh(app, listed, id);
        });
      },
    },
    { key: "d", label: "delete", run: (item) => void (isAgent(item.id) && confirmRemoval(app, listed, item)) },
    { key: "r", label: "refresh", run: () => showCloud(app) },
  ];
}

/** Asks the service about one agent again. */
async function refresh(app: App, listed: Listed, id: string): Promise<void> {
  const now = await listed.cloud.get(id);
  const agents = listed.agents.map((agent) => (agent.id === id ? now : agent));
  app.cloudAgents = working(agents);
  if (app.overlay?.kind === "picker") show(app, { ...listed, agents });
  app.draw();
}

function confirmRemoval(app: App, listed: Listed, { id, label }: PickerItem): void {
  app.overlay = {
    ...{ kind: "confirm", title: "Delete this cloud agent?", yes: "delete" },
    lines: [
      { text: label },
      { text: "Its conversation is deleted too. This cannot be undone. Its branches are kept." },
    ],
    accept: () =>
      app.attempt(async () => {
        await listed.cloud.remove(id).catch((thrown: unknown) => {
          // Another window has already deleted it.
          if (toReinsError(thrown).code !== "session_not_found") throw thrown;
        });
        const agents = listed.agents.filter((agent) => agent.id !== id);
        app.cloudAgents = working(agents);
        app.flash("Cloud agent deleted.", 4_000);
        if (app.overlay === undefined) show(app, { ...listed, agents });
      }),
  };
}

function changeTarget(app: App, { cloud }: Listed): void {
  const { cwd } = app.sessions.active;
  app.attempt(async () => {
    const { remembered, suggested, note } = await (await app.reins()).cloudTarget({ cwd });
    const done = (saved: CloudTarget): void =>
      app.flash(`Cloud agents of this folder work on ${targetWords(saved)}.`, 5_000);
    askTarget(app, { cloud, cwd, target: remembered ?? suggested, note, does: "Save for this folder", done });
  });
}

/** Opens the agent's conversation; the next prompt is a follow-up. A running turn is followed. */
function openAgent(app: App, { agent, cloud }: Listed, { id }: CloudAgent): void {
  app.flash("Loading the conversation…", 30_000);
  app.attempt(async () => {
    try {
      const reins = await app.reins();
      const { state, name, status } = await cloud.get(id);
      const kept = await reins.sessions.get(id).catch(() => undefined);
      const view =
        kept === undefined
          ? app.sessions.add(app.sessions.active.cwd, { agent, mode: "full" })
          : await app.sessions.open(kept.id);
      if (kept === undefined) {
        app.sessions.show(view);
        view.title = name === undefined ? undefined : oneLine(name);
        view.loading = true;
        try {
          for (const event of await cloud.conversation(id)) view.apply(event);
          view.resume = state;
        } finally {
          view.loading = false;
        }
      }
      if (status === "working") await app.sessions.connect(view);
    } finally {
      app.flash("");
    }
  });
}
