import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import type { Command } from "commander";
import type { ManagementCommand } from "../../agents/contract.ts";
import { ModelLists } from "../../core/catalog/model-lists.ts";
import { ReinsError } from "../../events/errors.ts";
import { addCommand, texts, type CommandContext } from "../command.ts";
import { type Exit, exitOfCode } from "../exit-codes.ts";
import { Screen } from "../render/screen.ts";
import { shellWord } from "../render/text.ts";
import { withStatus } from "../with-status.ts";

const actions = [
  ["login", "Sign in to an agent with its own command, in this terminal."],
  ["logout", "Sign out of an agent."],
  ["update", "Update an agent with its own command."],
] as const;

export function register(program: Command, { ending, finish }: CommandContext): void {
  for (const [action, description] of actions)
    addCommand(program, action, description)
      .argument("<agent>", texts.agent)
      .action(async (id: string) => {
        const command = await withStatus("Asking the agent", ending, async (reins) =>
          (await reins.manage(id))[action](),
        );
        finish(await handOver(command, action === "login"));
        // Another command may have asked for models while this one ran.
        await new ModelLists(process.env).forget(id);
      });
}

/**
 * Runs a command of an agent in the user's own terminal: it may ask questions or open a browser. Refused when it needs a terminal and
 * there is none.
 */
export async function handOver(command: ManagementCommand, needsPerson: boolean): Promise<Exit> {
  if (needsPerson && !process.stdin.isTTY) {
    throw new ReinsError("unsupported", "Signing in needs a terminal.", {
      help: `Run \`${typed(command)}\` in a terminal. ${command.withoutBrowser ?? ""}`.trimEnd(),
    });
  }
  const screen = new Screen();
  screen.line(`$ ${typed(command)}`, "dim");
  if (command.withoutBrowser !== undefined && !hasBrowser(process.env, process.platform))
    screen.line(`There seems to be no browser here. ${command.withoutBrowser}`);
  const code = await runInTerminal(command);
  if (code === 0 || code > 128) return exitOfCode(code);
  screen.line(`The command ended with exit code ${code}.`);
  return "failed";
}

/** Returns the exit code; 128 or more when a signal ended it, as in a shell. */
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
 * Ctrl-C reaches both processes from the terminal, and the child decides what to do. A signal sent to this process alone is passed on.
 * There is always a listener: Node drops a signal that arrives while the last listener is being replaced.
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

/** Returns whether a browser can open where the user sits: not over SSH, and on Linux only with a display. */
export function hasBrowser(env: Readonly<Record<string, string | undefined>>, platform: NodeJS.Platform): boolean {
  if (env["SSH_CONNECTION"] || env["SSH_TTY"]) return false;
  if (platform === "darwin" || platform === "win32") return true;
  return Boolean(env["BROWSER"] || env["DISPLAY"] || env["WAYLAND_DISPLAY"]);
}

/** A command as a user would type it. */
export function typed({ command, args }: ManagementCommand): string {
  return [command, ...args].map(shellWord).join(" ");
}
