/** Runs the interface on a terminal: frames, screens, signals and the end. */
import { toReinsError } from "../events/errors.ts";
import { App } from "./app/app.ts";
import type { AppOutput, TuiHost } from "./app/host.ts";
import { spinnerMs } from "./app/status-bar.ts";
import { FullScreen } from "./screen/full-screen.ts";
import { InlineScreen } from "./screen/inline-screen.ts";
import { TerminalInputReader } from "./screen/input.ts";
import { clipboardSequence } from "./screen/clipboard.ts";
import { notification } from "./screen/notify.ts";
import type { TerminalPort } from "./screen/port.ts";
import { reflowOf } from "./screen/reflow.ts";
import { guardTerminal } from "./screen/restore.ts";
import type { Screen } from "./screen/screen.ts";
import type { TerminalWatcher } from "./screen/watcher.ts";
import { themeFor } from "./themes.ts";
import { plain } from "./wrap.ts";

/** Interval between frames that no key asked for: 30 per second. 60 cost 7 % of a core more while an agent streams (`bench tui`). */
const frameMs = 33;
const backgroundMs = 300;

const noWatcher: TerminalWatcher = { use: () => undefined, stop: () => undefined };

export interface RunOptions {
  readonly port: TerminalPort;
  /** Starts the process that restores the terminal after a kill -9. Called before raw mode is entered. */
  readonly watch?: (() => TerminalWatcher) | undefined;
  /** Aborts when the interface has to end. */
  readonly ending: AbortSignal;
  /** `screen` returns the current screen, to hand over the terminal. */
  readonly makeHost: (screen: () => Screen) => TuiHost;
}

/** Resolves when the person has quit. */
export async function runTui({ port, watch, ending, makeHost }: RunOptions): Promise<void> {
  let screen!: Screen;
  const host = makeHost(() => screen);
  const { env, settings } = host;
  const finished = Promise.withResolvers<void>();
  let frame: NodeJS.Timeout | undefined;
  let animation: NodeJS.Timeout | undefined;
  let drawnAt = 0;
  let failure: unknown;
  /** Background colour of the terminal, once it has reported it. */
  let background: string | undefined;
  let title: string | undefined;

  const watcher = watch?.() ?? noWatcher;
  const open = (kind: "full" | "inline"): Screen =>
    kind === "full" ? new FullScreen(port, { watcher }) : new InlineScreen(port, { watcher, reflow: reflowOf(env) });

  const draw = (): void => {
    clearTimeout(frame);
    frame = undefined;
    if (!screen.started) return;
    drawnAt = performance.now();
    const size = { columns: screen.columns, rows: screen.rows };
    if (screen instanceof InlineScreen) {
      const { print, ...drawn } = app.inlineFrame(size);
      if (print.length > 0) screen.commit(print);
      screen.draw(drawn);
    } else screen.draw(app.frame(size));
    if (app.isAnimated) animation ??= setInterval(() => output.changed(false), spinnerMs);
    else if (animation !== undefined) {
      clearInterval(animation);
      animation = undefined;
    }
  };

  const output: AppOutput = {
    changed(now) {
      if (now) draw();
      else frame ??= setTimeout(draw, Math.max(0, frameMs - (performance.now() - drawnAt)));
    },
    notify: (head, body) => screen.send(notification("auto", head, body, env)),
    setTitle(words) {
      title = words;
      screen.setTitle(words);
    },
    copy(text) {
      const sequence = clipboardSequence(text, env);
      if (sequence === undefined) app.flash("Too long for the terminal's clipboard.", 4_000);
      else screen.send(sequence);
    },
    switchScreen(kind) {
      screen.stop();
      screen = open(kind);
      screen.setMouse(kind === "full" && settings.mouse);
      // The previous screen has restored the terminal's own title.
      if (title !== undefined) screen.setTitle(title);
      screen.start();
      draw();
    },
    setMouse: (on) => screen.setMouse(on),
    setTheme(name) {
      app.theme = themeFor({ name: name === "auto" ? undefined : name, background, env });
      output.changed(true);
    },
    suspend: () => void screen.suspend().then(draw),
    redraw() {
      void screen.suspendFor(() => undefined).then(draw);
    },
    quit: () => quit(app, finished.resolve),
  };

  const app = new App(host, output, themeFor({ name: settings.theme === "auto" ? undefined : settings.theme, env }));
  screen = open(settings.screen);
  const reader = new TerminalInputReader(port, (input) => app.input(input));
  const unguard = guardTerminal(() => screen, {
    port,
    end: (why) => {
      if (why.reason === "error") failure = why.error;
      finished.resolve();
    },
  });
  ending.addEventListener("abort", () => finished.resolve(), { once: true });
  screen.setMouse(settings.screen === "full" && settings.mouse);
  screen.start();
  reader.start();
  draw();
  void app.start();
  if (settings.theme === "auto")
    void reader.queryBackground(backgroundMs).then((told) => {
      background = told;
      app.theme = themeFor({ background, env });
      output.changed(false);
    });
  try {
    await finished.promise;
  } finally {
    clearTimeout(frame);
    clearInterval(animation);
    app.stop();
    await screen.settled();
    reader.stop();
    const leftFull = screen.kind === "full";
    const last = leftFull ? lastTurn(app) : [];
    screen.stop();
    unguard();
    watcher.stop();
    if (last.length > 0) port.write(`${last.join("\r\n")}\r\n`);
  }
  if (failure !== undefined) throw toReinsError(failure);
}

/** The last turn, printed to the main screen so that it does not disappear with the full screen. */
function lastTurn(app: App): readonly string[] {
  const blocks = app.sessions.active.blocks({ ...app.look(), width: app.size.columns, images: undefined });
  const from = blocks.findLastIndex(({ kind }) => kind === "prompt");
  if (from === -1) return [];
  return blocks
    .slice(from)
    .filter(({ kind }) => kind !== "box")
    .flatMap(({ lines }) =>
      lines.map(({ prefix = "", text }) => (plain(text) === "" ? "" : `${prefix}${text}\x1b[0m`)),
    );
}

/** Asks first: without a server, running work ends with this process. */
function quit(app: App, leave: () => void): void {
  const running = app.sessions.views.filter(({ isBusy }) => isBusy);
  if (running.length === 0 || app.served) return leave();
  const lines = running.map(({ name }) => ({ text: `● ${name}` }));
  app.overlay = {
    ...{ kind: "confirm", title: "Quit and stop running sessions?", yes: "quit" },
    lines: [{ text: "No server is running, so these sessions stop now. You can resume them later." }, ...lines],
    accept: leave,
  };
  app.draw();
}
