/** Runs a command that a person types after `!`, in the person's own shell. */
import { spawn } from "node:child_process";
import { signalGroup } from "../process/stop/stop.ts";

const longestOutput = 1024 * 1024;
/** How long background processes of the shell may still write to the output. */
const lastOutputMs = 200;

/**
 * Settles when the shell has ended, also when a background process keeps its output open. An abort ends all of them;
 * `stopped` says so, with the output until then.
 */
export function runShell(
  command: string,
  cwd: string,
  signal: AbortSignal,
): Promise<{ output: string; exitCode: number; stopped: boolean }> {
  return new Promise((done, fail) => {
    signal.throwIfAborted();
    const shell = process.env["SHELL"] ?? "/bin/sh";
    // A process group of its own, so that an abort reaches everything that the shell has started.
    const child = spawn(shell, ["-c", command], { cwd, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    const add = (piece: string): void => {
      output = (output + piece).slice(-longestOutput);
    };
    const settle = (code: number | null): void => {
      signal.removeEventListener("abort", abort);
      child.stdout.destroy();
      child.stderr.destroy();
      done({ output, exitCode: code ?? 1, stopped: signal.aborted });
    };
    const abort = (): void => {
      signalGroup(child, "SIGKILL");
      settle(null);
    };
    signal.addEventListener("abort", abort, { once: true });
    child.stdout.setEncoding("utf8").on("data", add);
    child.stderr.setEncoding("utf8").on("data", add);
    child.on("error", (error) => {
      signal.removeEventListener("abort", abort);
      fail(error);
    });
    child.on("exit", (code) => setTimeout(() => settle(code), lastOutputMs));
    child.on("close", settle);
  });
}
