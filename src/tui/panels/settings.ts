/** Settings of the interface, and actions for the agent: sign in, sign out, update. */
import { oneLine } from "../../events/printable.ts";
import { leaderKey, uiChoices, type UiSettingKey, type UiSettings } from "../../view/ui-settings.ts";
import type { App } from "../app/app.ts";
import { switchScreen } from "../app/screens.ts";
import { emptyEditor, setText } from "../editor/index.ts";
import { managementOf } from "./management.ts";
import { picker, textField, type PickerItem } from "../app/overlay.ts";

interface Entry {
  readonly id: string;
  readonly label: string;
  readonly detail: (app: App) => string;
  readonly run: (app: App) => void;
}

const onOff = (value: boolean): string => (value ? "on" : "off");

const entries: readonly Entry[] = [
  {
    ...{ id: "theme", label: "Theme", detail: ({ settings }) => settings.theme },
    run: (app) => choose(app, "Theme", uiChoices.theme, app.settings.theme, (theme) => setTheme(app, theme)),
  },
  {
    ...{ id: "screen", label: "Screen", detail: ({ screen }) => screen },
    run: (app) => choose(app, "Screen", uiChoices.screen, app.screen, (screen) => switchScreen(app, screen)),
  },
  {
    ...{ id: "placement", label: "Repository bar", detail: ({ settings }) => settings.breadcrumb.placement },
    run: (app) =>
      choose(app, "Repository bar", uiChoices.placement, app.settings.breadcrumb.placement, (placement) =>
        save(app, "ui.breadcrumb.placement", placement, { breadcrumb: { ...app.settings.breadcrumb, placement } }),
      ),
  },
  {
    id: "showAction",
    label: "Next step in the repository bar",
    detail: ({ settings }) => onOff(settings.breadcrumb.showAction),
    run: (app) => {
      const showAction = !app.settings.breadcrumb.showAction;
      save(app, "ui.breadcrumb.showAction", showAction, { breadcrumb: { ...app.settings.breadcrumb, showAction } });
      showSettings(app, "showAction");
    },
  },
  {
    ...{ id: "leader", label: "Leader key", detail: ({ settings }) => settings.leader },
    run: askLeader,
  },
  {
    ...{ id: "vi", label: "Vi keys in the prompt", detail: ({ settings }) => onOff(settings.vi) },
    run: (app) => {
      save(app, "ui.vi", !app.settings.vi, { vi: !app.settings.vi });
      showSettings(app, "vi");
    },
  },
  {
    ...{ id: "mouse", label: "Mouse", detail: ({ settings }) => onOff(settings.mouse) },
    run: (app) => {
      const mouse = !app.settings.mouse;
      app.output.setMouse(mouse);
      save(app, "ui.mouse", mouse, { mouse });
      showSettings(app, "mouse");
    },
  },
  {
    ...{ id: "keys", label: "Keys", detail: () => "all shortcuts" },
    run: (app) => app.showKeys(),
  },
  { id: "login", label: "Sign in", detail: agentName, run: (app) => app.runCommand("/login") },
  { id: "logout", label: "Sign out", detail: agentName, run: (app) => app.runCommand("/logout") },
  { id: "update", label: "Update", detail: updateWords, run: update },
];

/** `chosen`: the entry to start at. */
export function showSettings(app: App, chosen?: string): void {
  const items = entries.map(({ id, label, detail }) => ({ id, label, detail: oneLine(detail(app)) }));
  const accept = ({ id }: PickerItem): void => entries.find((entry) => entry.id === id)?.run(app);
  app.overlay = picker("Settings", items, accept, {
    chosen: Math.max(
      0,
      entries.findIndex(({ id }) => id === chosen),
    ),
  });
  app.draw();
}

function choose<Value extends string>(
  app: App,
  title: string,
  values: readonly Value[],
  current: Value,
  accept: (value: Value) => void,
): void {
  const { theme } = app;
  const items = values.map((value) => ({
    ...{ id: value, label: value },
    mark: value === current ? theme.accent("●") : theme.dim("○"),
  }));
  app.overlay = picker(title, items, ({ id }) => accept(id as Value), { chosen: values.indexOf(current) });
}

function save(app: App, key: UiSettingKey, value: string | boolean, change: Partial<UiSettings>): void {
  app.settings = { ...app.settings, ...change };
  app.attempt(() => app.host.saveSetting(key, value));
}

function setTheme(app: App, theme: UiSettings["theme"]): void {
  save(app, "ui.theme", theme, { theme });
  app.output.setTheme(theme);
}

function askLeader(app: App): void {
  const note = "`ctrl+` or `alt+` and a letter or digit, or `f1` to `f12`.";
  const accept = (typed: string): void => {
    const leader = typed.trim().toLowerCase();
    if (!leaderKey.test(leader)) return app.flash("This key cannot be the leader key.");
    save(app, "ui.leader", leader, { leader });
    showSettings(app, "leader");
  };
  app.overlay = textField("Leader key", accept, { note, editor: setText(emptyEditor, app.settings.leader) });
}

function agentName(app: App): string {
  return app.statusFacts().agentName ?? app.sessions.active.agent ?? "no agent is chosen";
}

function updateWords(app: App): string {
  const agent = app.agents.find(({ id }) => id === app.sessions.active.agent);
  const newer = agent?.newerVersion === undefined ? "" : ` → ${agent.newerVersion}`;
  return `${agentName(app)}${agent?.version === undefined ? "" : ` ${agent.version}`}${newer}`;
}

function update(app: App): void {
  const view = app.sessions.active;
  app.attempt(async () => {
    const { id, name, management } = await managementOf(app, view);
    const { command, args, env } = await management.update();
    const code = await app.host.runProgram([command, ...args], env);
    const version = (await app.refreshAgents()).find((agent) => agent.id === id)?.version ?? "not known";
    const text =
      code === 0
        ? app.theme.success(`✓ ${oneLine(name)} is at version ${oneLine(version)}.`)
        : app.theme.error(`✗ The update of ${oneLine(name)} ended with exit code ${code}.`);
    app.say([{ text: "" }, { text }], view);
  });
}
