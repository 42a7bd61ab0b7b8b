/** Runs a command of an agent in the person's own terminal: it may ask, and it may open a browser. */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import type { ManagementCommand } from "../agents/contract.ts";
import { ReinsError } from "../events/errors.ts";

export interface TerminalOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}

/** Its exit code; 128 and more where a signal ended it, as a shell says it. */
export async function runInTerminal({ command, args, env }: ManagementCommand): Promise<number> {
  const child = spawn(command, args, { stdio: "inherit", env: { ...process.env, ...env } });
  using _signals = leaveSignalsTo(child);
  try {
    const [code, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
    return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
  } catch (cause) {
    throw new ReinsError("not_installed", `${command} could not be started.`, { cause });
  }
}

/**
 * Ctrl-C goes to both of us from the terminal, and it decides what comes of it. What is sent to us alone is passed on.
 * There is always a listener: Node forgets a signal that came while the last one was exchanged.
 */
function leaveSignalsTo(child: ChildProcess): Disposable {
  const restored = (["SIGINT", "SIGTERM", "SIGHUP"] as const).map((signal) => {
    const ours = process.listeners(signal);
    const theirs = (): void => void (signal === "SIGINT" || child.kill(signal));
    process.on(signal, theirs);
    for (const listener of ours) process.removeListener(signal, listener);
    return () => {
      for (const listener of ours) process.on(signal, listener);
      process.removeListener(signal, theirs);
    };
  });
  return { [Symbol.dispose]: () => restored.forEach((restore) => restore()) };
}

/** Whether a page can be opened where the person sits: not over SSH, and on Linux only with a display. */
export function hasBrowser({ env, platform }: TerminalOptions): boolean {
  if (env["SSH_CONNECTION"] || env["SSH_TTY"]) return false;
  if (platform === "darwin" || platform === "win32") return true;
  return Boolean(env["BROWSER"] || env["DISPLAY"] || env["WAYLAND_DISPLAY"]);
}

/** A command as a person would type it. */
export function typed({ command, args }: ManagementCommand): string {
  return [command, ...args]
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(" ");
}
