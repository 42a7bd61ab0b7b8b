/** A person at a terminal: a real PTY with a command of ours on it, keys to type and a screen to read. */
import { loadNodePty } from "../../src/protocols/pty/open-pty.ts";
import { Screen } from "../../src/protocols/pty/screen.ts";
import { bin, type Place } from "./command.ts";
import { until } from "./processes.ts";

export interface PersonsTerminal extends AsyncDisposable {
  readonly pid: number;
  readonly exited: Promise<number>;
  type(keys: string): void;
  resize(columns: number, rows: number): void;
  /** All that was written, as it came. */
  output(): string;
  screen(): string;
  /** Waits until the screen has these words. */
  shows(words: string): Promise<void>;
  kill(signal: NodeJS.Signals): void;
}

export async function openTerminal(
  place: Place,
  args: readonly string[],
  { columns = 80, rows = 24, env = {} }: { columns?: number; rows?: number; env?: Record<string, string> } = {},
): Promise<PersonsTerminal> {
  const screen = await Screen.create({ columns, rows });
  const written: Buffer[] = [];
  const pty = loadNodePty().spawn(process.execPath, [bin, ...args], {
    name: "xterm-256color",
    cols: columns,
    rows,
    cwd: place.cwd,
    env: { ...place.env, TERM: "xterm-256color", ...env },
    encoding: null,
  });
  // The emulator takes what it is given later: an end is told when the screen has everything that came before it.
  let drawn = Promise.resolve();
  pty.onData((bytes) => {
    written.push(bytes);
    drawn = screen.write(bytes);
  });
  screen.onReply((reply) => pty.write(reply));
  let ended = false;
  const exited = new Promise<number>((resolve) =>
    pty.onExit(({ exitCode, signal }) => {
      ended = true;
      void drawn.then(() => resolve(signal ? 128 + signal : exitCode));
    }),
  );
  const kill = (signal: NodeJS.Signals): void => void (ended || process.kill(pty.pid, signal));
  return {
    pid: pty.pid,
    exited,
    type: (keys) => pty.write(keys),
    resize(width, height) {
      screen.resize(width, height);
      pty.resize(width, height);
    },
    output: () => Buffer.concat(written).toString(),
    screen: () => screen.text,
    shows: (words) =>
      until(() => screen.text.includes(words), `${JSON.stringify(words)} on the screen`).catch((error: unknown) => {
        throw new Error(`${String(error)}; it shows:\n${screen.text}`);
      }),
    kill,
    async [Symbol.asyncDispose]() {
      kill("SIGKILL");
      await exited;
    },
  };
}
