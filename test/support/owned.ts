/** Starts test/support/owner.ts, a Reins process that may be killed. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export interface Owner {
  readonly process: ChildProcess;
  /** Resolves with the next line it prints. */
  next(): Promise<string>;
  tell(command: string): Promise<void>;
  kill(signal: NodeJS.Signals): Promise<void>;
}

export interface OwnerOptions {
  readonly home: string;
  readonly run: string;
  readonly guardian: boolean;
  readonly script: string;
  readonly count?: number;
  readonly env?: NodeJS.ProcessEnv;
}

export function startOwner({ home, run, guardian, script, count = 1, env = {} }: OwnerOptions): Owner {
  const main = fileURLToPath(new URL("./owner.ts", import.meta.url));
  const args = [main, home, run, guardian ? "guardian" : "alone", script, String(count)];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "ignore"], env: { ...process.env, ...env } });
  const exited = once(child, "exit");
  child.stdin.on("error", () => {});
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => String((await lines.next()).value);
  return {
    process: child,
    next,
    async tell(command) {
      child.stdin.write(`${command}\n`);
      await next();
    },
    async kill(signal) {
      child.kill(signal);
      await exited;
    },
  };
}
