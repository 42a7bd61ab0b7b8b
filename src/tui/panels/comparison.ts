/** `/compare`: one prompt on several agents, each in its own git worktree. Shows progress and results, and applies the changes of one. */
import type { Comparison, ComparisonDetails, NewComparison } from "../../core/api.ts";
import { oneLine } from "../../events/printable.ts";
import { count } from "../../view/labels.ts";
import type { App } from "../app/app.ts";
import { boxLines } from "../app/box.ts";
import { picker, type Picker, type PickerItem } from "../app/overlay.ts";
import { SessionView } from "../app/session-view.ts";
import type { Line } from "../line.ts";
import type { Theme } from "../theme.ts";
import { diffLines } from "../transcript/index.ts";
import { fill } from "./fill.ts";

type Entry = ComparisonDetails["entries"][number];

/** Refresh interval of an open comparison while an agent works. */
const refreshMs = 1_000;
const mostEntries = 8;

type Chosen = NewComparison["entries"][number];

/** Asks which agents to compare, each perhaps with several models, then starts them. */
export function chooseAgents(app: App, prompt: string): void {
  const ready = app.agents.filter((agent) => agent.ready && agent.family !== true && !agent.capabilities.elsewhere);
  if (ready.length === 0) return app.flash("No agent is ready: /agent shows what each one needs.", 4_000);
  const outside = ready.filter(({ builtIn }) => builtIn !== true);
  const marked = new Set<Chosen>();
  // The rows: every agent with its own model, and below it the models that were chosen.
  let rows: readonly Chosen[] = ready.map(({ id }) => ({ agent: id }));
  for (const row of rows)
    if (marked.size < mostEntries && (outside.length === 0 || outside.some(({ id }) => id === row.agent)))
      marked.add(row);
  const { theme } = app;
  const rowOf = ({ id }: PickerItem): Chosen => rows[Number(id)]!;
  const items = (): readonly PickerItem[] =>
    rows.map((row, at) => ({
      ...{ id: String(at), label: nameOf(app, row) },
      detail: row.model === undefined ? ready.find(({ id }) => id === row.agent)?.version : undefined,
      mark: marked.has(row) ? theme.accent("☑") : theme.dim("☐"),
    }));
  const toggle = (item: PickerItem): void => {
    const row = rowOf(item);
    if (!marked.delete(row)) marked.add(row);
    if (app.overlay?.kind === "picker") app.overlay = { ...app.overlay, items: items() };
  };
  const accept = (item: PickerItem): void => {
    const entries = marked.size === 0 ? [rowOf(item)] : rows.filter((row) => marked.has(row));
    if (entries.length > mostEntries) return app.flash(`At most ${mostEntries} agents can be compared.`, 4_000);
    app.attempt(() => start(app, prompt, entries));
  };
  /** Adds the agent with this model. The first model that is chosen stands for the agent's own. */
  const addModel = (own: Chosen, model: string): void => {
    const known = rows.find((row) => row.agent === own.agent && row.model === model);
    const row = known ?? { agent: own.agent, model };
    const isFirst = !rows.some((one) => one.agent === own.agent && one.model !== undefined);
    if (known === undefined) {
      const last = rows.findLastIndex(({ agent }) => agent === own.agent);
      rows = rows.toSpliced(last + 1, 0, row);
    }
    if (isFirst) for (const one of marked) if (one.agent === own.agent) marked.delete(one);
    marked.add(row);
    show(rows.indexOf(row));
  };
  const chooseModel = (item: PickerItem): void => {
    const row = rowOf(item);
    const title = `Model of ${nameOf(app, { agent: row.agent })}`;
    const list = picker(title, [], ({ id }) => addModel(row, id), { empty: "This agent lists no models." });
    fill(app, list, () => modelItems(app, row.agent).catch(() => []));
  };
  const keys = [
    { key: "t", label: "marks", run: toggle },
    { key: "o", label: "adds a model", run: chooseModel },
  ];
  const show = (chosen = 0): void => {
    const hint = "Enter starts the marked agents";
    app.overlay = picker("Compare: which agents?", items(), accept, { keys, hint, chosen });
    app.draw();
  };
  show();
}

async function modelItems(app: App, agent: string): Promise<readonly PickerItem[]> {
  const models = await (await (await app.reins()).manage(agent)).models();
  return models.map(({ id, label, default: isDefault }) => ({
    ...{ id, label: oneLine(label ?? id) },
    detail: [label === undefined ? undefined : oneLine(id), isDefault === true ? "default" : undefined]
      .filter((words) => words !== undefined)
      .join(" · "),
  }));
}

async function start(app: App, prompt: string, entries: readonly Chosen[]): Promise<void> {
  const { cwd, mode } = app.sessions.active;
  app.flash("Preparing a worktree for each agent…", 60_000);
  try {
    const { comparisons } = await app.reins();
    const made = await comparisons.create({ cwd, prompt, mode, entries });
    for (const { number } of made.entries) await follow(app, made, number).catch(() => undefined);
    if (app.overlay === undefined) showComparison(app, made.id);
  } finally {
    app.flash("");
  }
}

/** Opens the session of an entry in the background, so that its requests can be answered. */
async function follow(app: App, { id, entries, prompt, mode }: Comparison, number: number): Promise<SessionView> {
  const entry = entries.find((one) => one.number === number)!;
  const known = app.sessions.views.find((view) => view.id !== undefined && view.id === entry.session);
  if (known !== undefined) return known;
  const session = await (await app.reins()).comparisons.session(id, number);
  const view = new SessionView(entry.folder, { agent: entry.agent, model: entry.model, mode });
  view.title = `${nameOf(app, entry)}: ${prompt.split("\n", 1)[0]!.slice(0, 60)}`;
  app.sessions.adopt(view, session);
  return view;
}

function nameOf(app: App, { agent, model }: Pick<Entry, "agent" | "model">): string {
  const name = app.agents.find(({ id }) => id === agent)?.name ?? agent;
  return oneLine(model === undefined ? name : `${name} (${model})`);
}

/** All stored comparisons, newest first. */
export function showComparisons(app: App): void {
  const accept = ({ id }: PickerItem): void => showComparison(app, id);
  const list = picker("Comparisons", [], accept, { empty: "No comparisons yet. Start one with /compare <prompt>." });
  fill(app, list, async () =>
    (await (await app.reins()).comparisons.list()).map((one) => ({
      id: one.id,
      label: oneLine(one.prompt.slice(0, 200)),
      detail: [
        one.entries.map((entry) => nameOf(app, entry)).join(", "),
        one.createdAt.slice(0, 16).replace("T", " "),
      ].join(" · "),
    })),
  );
}

const stateWords: Readonly<Partial<Record<Entry["state"], string>>> = {
  waiting: "waiting for you",
  done: "finished",
  cancelled: "stopped",
  gone: "session deleted",
};

function stateMark(theme: Theme, state: Entry["state"]): string {
  if (state === "waiting") return theme.warning("●");
  if (state === "running") return theme.accent("●");
  return state === "done" ? theme.success("✓") : theme.error("✗");
}

/** An entry as one row: the agent, its state and its changes. */
export function entryItem(app: Pick<App, "theme" | "agents">, entry: Entry): PickerItem {
  const { number, state, files, kept, error, trouble } = entry;
  const sum = (of: "added" | "removed"): number => files.reduce((total, file) => total + (file[of] ?? 0), 0);
  const changes =
    files.length === 0 ? "no changes" : `${count(files.length, "file")} +${sum("added")} −${sum("removed")}`;
  const taken = kept && (kept.how === "apply" ? "taken" : `on ${kept.branch ?? entry.branch}`);
  return {
    id: String(number),
    label: nameOf(app as App, entry),
    mark: stateMark(app.theme, state),
    detail: [stateWords[state] ?? state, changes, taken, error?.message, trouble]
      .filter((words) => words !== undefined)
      .map(oneLine)
      .join(" · "),
  };
}

export function showComparison(app: App, id: string): void {
  let shown: ComparisonDetails | undefined;
  let worked = true;
  const entryOf = (item: PickerItem): Entry | undefined =>
    shown?.entries.find(({ number }) => String(number) === item.id);
  const withEntry =
    (work: (entry: Entry, details: ComparisonDetails) => void) =>
    (item: PickerItem): void => {
      const entry = entryOf(item);
      if (entry !== undefined && shown !== undefined) work(entry, shown);
    };
  const accept = withEntry((entry, details) =>
    app.attempt(async () => void app.sessions.show(await follow(app, details, entry.number))),
  );
  const keys = [
    { key: "v", label: "changes", run: withEntry((entry) => showChanges(app, entry)) },
    { key: "t", label: "take", run: withEntry((entry, details) => take(app, details, entry, "apply")) },
    { key: "b", label: "branch", run: withEntry((entry, details) => take(app, details, entry, "branch")) },
    { key: "x", label: "remove all", run: withEntry((_entry, details) => remove(app, details)) },
  ];
  const panel = picker("Comparison", [], accept, { keys, hint: "Enter opens the session" });
  const isShown = (): boolean => app.overlay?.kind === "picker" && app.overlay.accept === accept;
  const read = async (): Promise<readonly PickerItem[]> => {
    shown = await (await app.reins()).comparisons.get(id);
    const title = `Comparison: ${oneLine(shown.prompt.slice(0, 60))}`;
    if (isShown()) app.overlay = { ...(app.overlay as Picker), title };
    const works = shown.entries.some(({ state }) => state === "running" || state === "waiting");
    // Changes may be up to a second old, so read them once more after the end.
    if (works || worked) later();
    worked = works;
    return shown.entries.map((entry) => entryItem(app, entry));
  };
  const later = (): void => {
    const timer = setTimeout(() => {
      if (!isShown() || app.leaving.signal.aborted) return;
      app.attempt(async () => {
        const items = await read();
        if (isShown()) app.overlay = { ...(app.overlay as Picker), items };
        app.draw();
      });
    }, refreshMs);
    timer.unref();
  };
  fill(app, panel, read);
}

/** The patch of an entry, file by file. */
function showChanges(app: App, entry: Entry): void {
  const { theme } = app;
  const look = { ...app.look(), width: Math.max(1, app.size.columns - 4), expandAll: true };
  const files = entry.patch.split(/^(?=diff --git )/m).filter((part) => part.trim() !== "");
  const lines = files.flatMap((file, at): Line[] => [
    { text: theme.bold(oneLine(entry.files[at]?.path ?? "")) },
    ...diffLines(
      file.replace(/^(?:diff --git|index|new file|deleted file|similarity|old mode|new mode) .*\n/gm, ""),
      look,
    ),
    { text: "" },
  ]);
  const cut = entry.cut ? [{ text: theme.dim("… the rest is too long to show") }] : [];
  const none = [{ text: theme.dim(oneLine(entry.trouble ?? "No changes.")) }];
  const shown = lines.length === 0 ? none : [...lines, ...cut];
  app.overlay = { kind: "pager", title: `Changes of ${nameOf(app, entry)}`, lines: shown, top: 0 };
}

/** Applies the changes to the folder, or commits them on the branch of the entry. */
function take(app: App, { id, cwd }: ComparisonDetails, entry: Entry, how: "apply" | "branch"): void {
  const view = app.sessions.active;
  const { theme } = app;
  const name = nameOf(app, entry);
  const question =
    how === "apply"
      ? `The changes of ${name} will be applied to ${oneLine(cwd)}:`
      : `They will be committed on ${entry.branch}:`;
  app.overlay = {
    ...{ kind: "confirm", title: `Keep the changes of ${name}?`, yes: how === "apply" ? "keep them" : "commit" },
    lines: [{ text: question }, ...entry.files.slice(0, 20).map(({ path }) => ({ text: `  ${oneLine(path)}` }))],
    accept: () =>
      app.attempt(async () => {
        const { files, branch } = await (await app.reins()).comparisons.keep(id, entry.number, how);
        const where = how === "apply" ? "in the folder" : `on the branch ${oneLine(branch ?? entry.branch)}`;
        const done = theme.success(
          `✓ ${count(files.length, "file")} of ${name} ${files.length === 1 ? "is" : "are"} ${where}.`,
        );
        const next = how === "apply" ? [] : [{ text: theme.dim(`git merge ${oneLine(branch ?? entry.branch)}`) }];
        app.say(boxLines("Comparison", [{ text: done }, ...next], theme), view);
        app.refreshRepository();
      }),
  };
}

function remove(app: App, { id, entries }: ComparisonDetails): void {
  app.overlay = {
    ...{ kind: "confirm", title: "Remove this comparison?", yes: "remove" },
    lines: [
      { text: `${count(entries.length, "agent")} stop, and their changes are deleted unless you kept them.` },
      { text: "Their sessions are kept." },
    ],
    accept: () =>
      app.attempt(async () => {
        const stay = await (await app.reins()).comparisons.remove(id);
        app.flash(stay.length === 0 ? "Removed." : `Removed. Kept branches: ${stay.join(", ")}`, 4_000);
      }),
  };
}
