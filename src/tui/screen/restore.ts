/** Restores the terminal at every end of the process that can be handled; `watcher.ts` does it for kill -9. */
import { constants } from "node:os";
import type { TerminalPort } from "./port.ts";
import type { Screen } from "./screen.ts";

const signals = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const;
type EndSignal = (typeof signals)[number];

/** Why the interface has to end. */
export type TerminalEnd =
  | { readonly reason: "signal"; readonly signal: EndSignal }
  | { readonly reason: "closed" }
  | { readonly reason: "error"; readonly error: unknown };

export interface GuardOptions {
  /** Used to detect a closed terminal. */
  readonly port?: TerminalPort | undefined;
  /** Called after the terminal was restored. Default: prints the error on stderr and ends the process at once. */
  readonly end?: ((end: TerminalEnd) => void) | undefined;
}

/** Restores the terminal before the process ends in any way. `screen` may be a function, for an interface that changes its screen. */
export function guardTerminal(
  screen: Screen | (() => Screen),
  { port, end = endProcess }: GuardOptions = {},
): () => void {
  const stop = (): void => (typeof screen === "function" ? screen() : screen).stop();
  const finish = (why: TerminalEnd): void => {
    stop();
    end(why);
  };
  const onSignal = (signal: NodeJS.Signals): void => finish({ reason: "signal", signal: signal as EndSignal });
  const onError = (error: unknown): void => finish({ reason: "error", error });
  const onClosed = port?.onClosed(() => finish({ reason: "closed" }));
  for (const signal of signals) process.on(signal, onSignal);
  process.on("uncaughtException", onError);
  process.on("unhandledRejection", onError);
  process.on("exit", stop);
  return () => {
    for (const signal of signals) process.off(signal, onSignal);
    process.off("uncaughtException", onError);
    process.off("unhandledRejection", onError);
    process.off("exit", stop);
    onClosed?.();
  };
}

/** The exit status that a shell shows for a process that ended by the signal. */
function statusOf(signal: EndSignal): number {
  return 128 + constants.signals[signal];
}

function endProcess(end: TerminalEnd): void {
  if (end.reason === "signal") return process.exit(statusOf(end.signal));
  if (end.reason === "closed") return process.exit(statusOf("SIGHUP"));
  const { error } = end;
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
}
