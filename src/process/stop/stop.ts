/** Stops one process: closes its stdin, then sends TERM, then KILL. */
import { type ChildProcess, execFile } from "node:child_process";
import { setTimeout } from "node:timers/promises";
import type { Deadlines } from "../../events/deadlines.ts";

/**
 * Each step waits for the exit up to its deadline; `hurry` skips the first step, even while it waits. Returns true when the process is
 * gone.
 */
export async function stopLeader(
  child: ChildProcess,
  exited: Promise<unknown>,
  deadlines: Deadlines,
  hurry: Promise<void>,
): Promise<boolean> {
  if (child.stdin) {
    child.stdin.end();
    await within(deadlines.politeClose, Promise.race([exited, hurry]));
  }
  for (const name of ["SIGTERM", "SIGKILL"] as const) {
    signalGroup(child, name);
    if (await within(deadlines.term, exited)) return true;
  }
  return false;
}

/** Does nothing after the exit, because the system may have given the pid to another process. */
export function signalGroup(child: ChildProcess, name: NodeJS.Signals): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  if (process.platform === "win32") {
    const force = name === "SIGKILL" ? ["/F"] : [];
    execFile("taskkill", ["/pid", String(child.pid), "/T", ...force], () => {});
    return;
  }
  try {
    process.kill(-child.pid, name);
  } catch {
    // Already gone; the exit event follows.
  }
}

/** Returns whether the promise was fulfilled in time; rejects if it rejects. Leaves no timer behind. */
export async function within(ms: number, promise: Promise<unknown>): Promise<boolean> {
  const abort = new AbortController();
  const late = setTimeout(ms, false, { signal: abort.signal }).catch(() => false);
  return Promise.race([promise.then(() => true), late]).finally(() => abort.abort());
}

const exitHooks = new Set<() => void>();

function onExit(): void {
  for (const hook of exitHooks) hook();
}

/** Runs the hook synchronously when this process exits. Returns a function that removes it. One listener serves all hooks. */
export function beforeExit(hook: () => void): () => void {
  if (exitHooks.size === 0) process.on("exit", onExit);
  exitHooks.add(hook);
  return () => {
    exitHooks.delete(hook);
    if (exitHooks.size === 0) process.off("exit", onExit);
  };
}
