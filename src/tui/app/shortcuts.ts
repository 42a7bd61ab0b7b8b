/** Shortcuts after the leader key, and the page that lists every key. */
import { emptyEditor, editorText, setText } from "../editor/index.ts";
import type { Line } from "../line.ts";
import { showCloud } from "../cloud/panel.ts";
import type { App } from "./app.ts";
import { showDiff } from "./changes.ts";
import { showComparisons } from "../panels/comparison.ts";
import { pickMcp } from "../panels/mcp.ts";
import { pickAgent, pickMode, pickModel } from "../panels/pickers.ts";
import { pickSession } from "../panels/session-list.ts";
import { showSettings } from "../panels/settings.ts";
import { showUsage } from "../panels/usage.ts";
import { pressRepositoryAction } from "./repository-action.ts";
import { switchScreen } from "./screens.ts";

interface Shortcut {
  readonly key: string;
  readonly label: string;
  readonly run: (app: App) => void;
}

const shortcuts: readonly Shortcut[] = [
  { key: "s", label: "sessions", run: (app) => pickSession(app) },
  { key: "n", label: "new session", run: (app) => void app.sessions.create(app.host.cwd, app.sessions.active.choice) },
  { key: "a", label: "agent", run: pickAgent },
  { key: "m", label: "model", run: pickModel },
  { key: "o", label: "mode", run: pickMode },
  { key: "p", label: "MCP servers", run: pickMcp },
  { key: "c", label: "cloud agents", run: showCloud },
  { key: "k", label: "comparisons", run: showComparisons },
  { key: "u", label: "usage and limits", run: showUsage },
  { key: ",", label: "settings", run: (app) => showSettings(app) },
  { key: "g", label: "changes of this session", run: showDiff },
  { key: "b", label: "next step of the repository", run: pressRepositoryAction },
  {
    key: "i",
    label: "full screen or inline",
    run: (app) => switchScreen(app, app.screen === "full" ? "inline" : "full"),
  },
  { key: "t", label: "sidebar", run: (app) => void (app.showSidebar = !app.showSidebar) },
  { key: "e", label: "edit the prompt in $EDITOR", run: editOutside },
  { key: "y", label: "copy the last answer", run: copyAnswer },
  { key: "w", label: "mouse on or off", run: toggleMouse },
  { key: "q", label: "quit", run: (app) => app.output.quit() },
  { key: "?", label: "shortcuts", run: showKeys },
];

export function shortcut(app: App, name: string): void {
  const found = shortcuts.find(({ key }) => key === name || `ctrl+${key}` === name);
  if (found === undefined) return app.flash(`No such shortcut. ${app.repository.leader} then ? lists them.`);
  found.run(app);
}

function editOutside(app: App): void {
  const view = app.sessions.active;
  app.attempt(async () => {
    const text = await app.host.editText(editorText(view.editor));
    if (text === undefined) return app.flash("No editor: set VISUAL or EDITOR.");
    view.editor = setText(emptyEditor, text.replace(/\n$/, ""));
    app.draw();
  });
}

function copyAnswer(app: App): void {
  const block = app.sessions.active.blocks(app.look()).findLast(({ kind }) => kind === "message");
  if (block === undefined) return app.flash("There is no answer yet.");
  app.output.copy(block.text);
  app.flash("Copied the last answer.");
}

function toggleMouse(app: App): void {
  const mouse = !app.settings.mouse;
  app.settings = { ...app.settings, mouse };
  app.output.setMouse(mouse);
  app.flash(
    mouse
      ? "The mouse scrolls and selects here; Shift+drag selects in the terminal."
      : "The terminal handles the mouse.",
  );
}

const keys: readonly (readonly [string, string])[] = [
  ["Enter", "send; while a turn runs, queue"],
  ["Shift+Enter, Alt+Enter, Ctrl+J", "new line"],
  ["↑ on an empty prompt", "take back the last queued prompt, else earlier prompts"],
  ["Esc", "close what is open; twice on an empty prompt stops the turn"],
  ["Ctrl+C, Ctrl+D", "clear the prompt; twice quits"],
  ["Shift+Tab", "next mode"],
  ["Tab on an empty prompt", "browse the rows that can be opened"],
  ["PageUp, PageDown, Ctrl+↑, Ctrl+↓", "scroll; End follows again"],
  ["Alt+↑, Alt+↓", "previous or next prompt"],
  ["Ctrl+F", "search in the session"],
  ["Ctrl+T", "open or fold everything"],
  ["Ctrl+N, Ctrl+P, Alt+1 to 9", "another session"],
  ["Ctrl+R", "search in earlier prompts"],
  ["Ctrl+O beside a pasted text", "open it"],
  ["Ctrl+L", "redraw the screen"],
  ["Ctrl+Z", "suspend; `fg` comes back"],
  ["y s a n m e ?", "answer a request: once, session, always, deny, message, edit, why"],
];

export function keyLines(app: App): readonly Line[] {
  const { theme, repository } = app;
  const row = (key: string, label: string): Line => ({
    prefix: `${theme.accent(key.padEnd(34))} `,
    indent: " ".repeat(35),
    text: label,
  });
  return [
    ...keys.map(([key, label]) => row(key, label)),
    { text: "" },
    ...shortcuts.map(({ key, label }) => row(`${repository.leader} ${key}`, label)),
  ];
}

export function showKeys(app: App): void {
  app.overlay = { kind: "pager", title: "Shortcuts", lines: keyLines(app), top: 0 };
}
