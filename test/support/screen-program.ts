/**
 * A tiny program that uses a screen, for tests in a real terminal: `screen-program.ts full|inline [killed]`. Keys choose how it
 * ends; `killed`: a kill -9 as soon as raw mode is on.
 */
import { FullScreen } from "../../src/tui/screen/full-screen.ts";
import { InlineScreen } from "../../src/tui/screen/inline-screen.ts";
import { TerminalInputReader } from "../../src/tui/screen/input.ts";
import { processPort } from "../../src/tui/screen/port.ts";
import { reflowOf } from "../../src/tui/screen/reflow.ts";
import { guardTerminal } from "../../src/tui/screen/restore.ts";
import { startWatcher } from "../../src/tui/screen/watcher.ts";
import { keyName } from "../../src/tui/key.ts";

const port = processPort(process);
if (process.argv[3] === "killed") {
  const setRaw = port.setRaw.bind(port);
  port.setRaw = (on) => {
    setRaw(on);
    process.kill(process.pid, "SIGKILL");
  };
}
const watcher = startWatcher();
const reflow = reflowOf(process.env);
const screen =
  process.argv[2] === "inline" ? new InlineScreen(port, { watcher, reflow }) : new FullScreen(port, { watcher });
let typed = "";
let committed = 0;
const draw = (): void =>
  screen.draw({ rows: [`pid=${process.pid}.`, `> ${typed}`, "status"], cursor: { row: 1, column: 2 + typed.length } });
const reader = new TerminalInputReader(port, (input) => {
  if (input.kind === "key") {
    switch (keyName(input.key)) {
      case "ctrl+d":
        reader.stop();
        screen.stop();
        return watcher.stop();
      case "ctrl+e":
        throw new Error("thrown on purpose");
      case "ctrl+z":
        reader.stop();
        return void screen.suspend().then(() => reader.start());
      case "ctrl+n":
        if (screen instanceof InlineScreen) screen.commit([`block ${committed++} ${"text ".repeat(30)}end`]);
        break;
      default:
        typed += input.key.text ?? "";
    }
  }
  draw();
});
// The title tells that the reply to the first frame has arrived: after a kill -9 the shell would receive it.
if (screen instanceof FullScreen) screen.setTitle("ready");
else {
  const stop = port.onData((data) => {
    if (!/\x1b\[\d+;\d+R/.test(data)) return;
    screen.setTitle("ready");
    stop();
  });
}
guardTerminal(screen, { port });
screen.setMouse(true);
screen.start();
reader.start();
draw();
