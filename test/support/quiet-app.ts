/** The terminal interface without the core: a test supplies the events, and the clock stands still. */
import type { Session } from "../../src/core/api.ts";
import { App } from "../../src/tui/app/app.ts";
import type { TuiHost } from "../../src/tui/app/host.ts";
import { themeFor } from "../../src/tui/themes.ts";
import { uiSettings, type PartialUiSettings } from "../../src/view/ui-settings.ts";

export function quietApp(ui: PartialUiSettings = {}, replaced: Partial<TuiHost> = {}): App {
  const nothing = (): undefined => undefined;
  const host: TuiHost = {
    ...{ cwd: "/work", home: "/home", first: { agent: "demo" }, version: "1.2.3", env: { TERM: "xterm-256color" } },
    platform: { os: "Test", shell: "sh" },
    settings: uiSettings({ theme: "dark", ...ui }),
    open: () => new Promise(nothing),
    listFiles: async function* () {},
    runShell: async () => ({ output: "", exitCode: 0 }),
    runProgram: async () => 0,
    editText: async () => undefined,
    loadHistory: async () => [],
    addHistory: nothing,
    saveSetting: async () => undefined,
    saveFile: async (name) => name,
    fileExists: () => false,
    readFile: async () => undefined,
    now: () => 1_000_000,
    ...replaced,
  };
  const output = {
    ...{ changed: nothing, notify: nothing, setTitle: nothing, copy: nothing, switchScreen: nothing },
    ...{ setMouse: nothing, setTheme: nothing, suspend: nothing, redraw: nothing, quit: nothing },
  };
  const app = new App(host, output, themeFor({ name: "dark", env: host.env }));
  // Requests are shown only while a session is open.
  app.sessions.active.session = { answer: nothing, cancel: async () => undefined } as unknown as Session;
  return app;
}
