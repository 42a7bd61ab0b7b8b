/** The lists: agents, models, modes, sessions, MCP servers, repository actions. Each is filled when its answer comes. */
import type { Management, RunningAgent } from "../../core/api.ts";
import { ReinsError } from "../../events/errors.ts";
import { modes, type Mode } from "../../events/modes.ts";
import { oneLine } from "../../events/printable.ts";
import { modeAfter, modeMeanings, modeName } from "../../view/mode-names.ts";
import type { App } from "./app.ts";
import { boxLines } from "./box.ts";
import { picker, type Picker, type PickerItem } from "./overlay.ts";
import type { SessionState, SessionView } from "./session-view.ts";

/** Shows the list at once and fills it later, unless it was closed by then. */
function fill(app: App, shown: Picker, items: () => Promise<readonly PickerItem[]>): void {
  app.overlay = { ...shown, loading: true };
  const opened = app.overlay;
  app.attempt(async () => {
    try {
      const found = await items();
      const { overlay } = app;
      if (overlay?.kind !== "picker" || overlay.accept !== opened.accept) return;
      app.overlay = { ...overlay, items: found, loading: false };
    } catch (error) {
      if (app.overlay?.kind === "picker" && app.overlay.accept === opened.accept) app.overlay = undefined;
      throw error;
    } finally {
      app.draw();
    }
  });
}

export function pickAgent(app: App): void {
  const view = app.sessions.active;
  const title = view.id === undefined ? "Agent" : "Hand over to";
  const accept = ({ id }: PickerItem): void => {
    const file = id.startsWith("file:") ? id.slice("file:".length) : undefined;
    app.attempt(() => app.sessions.switchAgent(view, file ?? id));
  };
  fill(app, picker(title, [], accept), async () => {
    const reins = await app.reins();
    const [agents, files] = await Promise.all([
      app.refreshAgents(),
      reins.agentFiles({ cwd: view.cwd }).catch(() => []),
    ]);
    const { theme } = app;
    const items = agents
      .filter(({ family }) => family !== true)
      .toSorted((a, b) => Number(b.ready) - Number(a.ready))
      .map((agent): PickerItem => {
        const how = agent.ready ? [agent.version, agent.signedInHow].filter(Boolean).join(" · ") : undefined;
        return {
          id: agent.id,
          label: oneLine(agent.name),
          mark: agent.id === view.agent ? theme.accent("●") : agent.ready ? theme.success("✓") : theme.dim("○"),
          detail: oneLine(how ?? agent.help ?? "not ready"),
        };
      });
    const own = files.map(({ id, name, description, color, problem }): PickerItem => {
      const mark = color === undefined ? "◆" : theme.colour(hexOf(color), "◆");
      return {
        id: `file:${id}`,
        label: oneLine(name ?? id),
        mark,
        detail: oneLine(description ?? ""),
        disabled: problem,
      };
    });
    return [...items, ...own];
  });
}

const colourNames: Readonly<Record<string, string>> = {
  ...{ red: "#FF4444", green: "#00CC66", blue: "#4488FF", yellow: "#FFCC00", purple: "#A855F7" },
  ...{ orange: "#FF8800", pink: "#FF66AA", cyan: "#00CCCC" },
};

function hexOf(color: string): string {
  return /^#[0-9a-f]{6}$/i.test(color) ? color : (colourNames[color.toLowerCase()] ?? "#888888");
}

/** How the agent of a session is managed; says how to choose one where there is none yet. */
export async function managementOf(
  app: App,
  view: SessionView = app.sessions.active,
): Promise<{ readonly id: string; readonly management: Management }> {
  const reins = await app.reins();
  const id = view.agent ?? app.agents.find(({ ready }) => ready)?.id;
  if (id === undefined) throw new ReinsError("invalid_input", "No agent is chosen yet: /agent shows them.");
  return { id, management: await reins.manage(id) };
}

export function pickModel(app: App): void {
  const view = app.sessions.active;
  const accept = ({ id }: PickerItem): void => app.attempt(() => app.sessions.configure(view, { model: id }));
  fill(app, picker("Model", [], accept), async () => {
    const { management } = await managementOf(app, view);
    const models = await management.models();
    return models.map(({ id, label, description, default: isDefault, current }) => {
      const marks = [
        isDefault === true ? "default" : "",
        current === true || id === view.model ? "current" : "",
      ].filter(Boolean);
      return {
        id,
        label: oneLine(label ?? id),
        mark: marks.length > 0 ? app.theme.accent("●") : app.theme.dim("○"),
        detail: [label === undefined ? undefined : id, ...marks, description]
          .filter(Boolean)
          .map((text) => oneLine(text!))
          .join(" · "),
      };
    });
  });
}

export function pickMode(app: App): void {
  const view = app.sessions.active;
  const declared = app.capabilities();
  const items = (declared?.modes ?? modes).map((mode) => ({
    id: mode,
    label: modeName(mode, declared),
    detail: modeMeanings[mode],
    mark: mode === view.mode ? app.theme.accent("●") : app.theme.dim("○"),
  }));
  const accept = ({ id }: PickerItem): void => app.attempt(() => app.sessions.configure(view, { mode: id as Mode }));
  app.overlay = picker("Mode", items, accept, {
    chosen: Math.max(
      0,
      items.findIndex(({ id }) => id === view.mode),
    ),
  });
}

/** Shift+Tab. */
export function nextMode(app: App): void {
  const view = app.sessions.active;
  const declared = app.capabilities();
  const mode = modeAfter(view.mode, declared);
  if (mode === undefined) return app.flash("This agent has no other mode.");
  app.attempt(() => app.sessions.configure(view, { mode }));
  app.flash(`Mode ${modeName(mode, declared)}: ${modeMeanings[mode]}`);
}

const stateWords: Readonly<Record<SessionState, string>> = {
  new: "new",
  loading: "loading",
  running: "running",
  waiting: "waits for you",
  idle: "finished",
  failed: "failed",
};

function stateMark(app: App, state: SessionState): string {
  const { theme } = app;
  if (state === "waiting") return theme.warning("●");
  if (state === "running" || state === "loading") return theme.accent("●");
  return state === "failed" ? theme.error("✗") : theme.dim("○");
}

/** All sessions: those that are open here, then those that are kept. Running and waiting ones first. */
export function pickSession(app: App): void {
  const rank: Readonly<Record<SessionState, number>> = {
    waiting: 0,
    running: 1,
    loading: 2,
    failed: 3,
    idle: 3,
    new: 4,
  };
  const open = app.sessions.views
    .toSorted((a, b) => rank[a.state] - rank[b.state])
    .map((view): PickerItem => ({
      id: view.key,
      label: oneLine(view.name),
      mark: stateMark(app, view.state),
      detail: [view.agent, stateWords[view.state], view === app.sessions.active ? "on the screen" : undefined]
        .filter(Boolean)
        .join(" · "),
    }));
  const accept = ({ id }: PickerItem): void => {
    const view = app.sessions.views.find(({ key }) => key === id);
    if (view !== undefined) app.sessions.show(view);
    else app.attempt(async () => void (await app.sessions.open(id)));
  };
  const shown = picker("Sessions", open, accept);
  fill(app, shown, async () => {
    const reins = await app.reins();
    const [kept, running] = await Promise.all([
      reins.sessions.list({ limit: 200 }),
      reins.running().catch((): readonly RunningAgent[] => []),
    ]);
    const known = new Set(app.sessions.views.map(({ id }) => id));
    const works = new Set(running.map(({ session }) => session));
    const items = kept
      .filter(({ id }) => !known.has(id))
      .map(({ id, title, agent, cwd, updatedAt, turns }): PickerItem => {
        const state = works.has(id) ? "open elsewhere" : undefined;
        const detail = [
          agent,
          `${turns} turns`,
          updatedAt.slice(0, 16).replace("T", " "),
          cwd === app.host.cwd ? undefined : cwd,
          state,
        ];
        return {
          id,
          label: oneLine(title ?? id),
          mark: app.theme.dim("○"),
          detail: detail.filter(Boolean).join(" · "),
        };
      });
    return [...open, ...items];
  });
}

export function pickMcp(app: App): void {
  const view = app.sessions.active;
  const at = { cwd: view.cwd };
  const change =
    (what: "enable" | "disable") =>
    ({ id }: PickerItem) => {
      app.attempt(async () => {
        const { management } = await managementOf(app, view);
        await management.mcp[what](id, at);
        app.flash(what === "enable" ? "Enabled." : "Disabled.");
        pickMcp(app);
      });
    };
  const login = ({ id }: PickerItem): void => {
    app.overlay = undefined;
    app.attempt(async () => {
      const { management } = await managementOf(app, view);
      const { command, args, env } = await management.mcp.login(id);
      const code = await app.host.runProgram([command, ...args], env);
      app.flash(code === 0 ? "Signed in." : `The sign-in ended with exit code ${code}.`);
    });
  };
  const keys = [
    { key: "e", label: "enable", run: change("enable") },
    { key: "d", label: "disable", run: change("disable") },
    { key: "l", label: "log in", run: login },
  ];
  const tools = ({ id }: PickerItem): void =>
    app.attempt(async () => {
      const { management } = await managementOf(app, view);
      const found = await management.mcp.tools(id, at);
      const lines = found.map(({ name, parameters = [] }) => ({
        text: `${oneLine(name)}${app.theme.dim(parameters.length > 0 ? `  ${parameters.join(", ")}` : "")}`,
      }));
      app.say(
        boxLines(`Tools of ${id}`, lines.length > 0 ? lines : [{ text: app.theme.dim("It has no tools.") }], app.theme),
        view,
      );
    });
  fill(app, picker("MCP servers", [], tools, { keys, hint: "Enter lists the tools" }), async () => {
    const { management } = await managementOf(app, view);
    const servers = await management.mcp.list(at);
    const { theme } = app;
    return servers.map(({ name, status, detail, target }) => ({
      id: name,
      label: oneLine(name),
      mark: status === "connected" ? theme.success("●") : status === "failed" ? theme.error("✗") : theme.dim("○"),
      detail: [status.replace("_", " "), detail, target]
        .filter(Boolean)
        .map((text) => oneLine(text!))
        .join(" · "),
    }));
  });
}
