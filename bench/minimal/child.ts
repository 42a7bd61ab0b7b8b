/** A program that prints one JSON message per line. Every line is parsed and given to the callers that wait for it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Launch, Message } from "./client.ts";

export interface Child {
  write(message: object): void;
  /** Resolves with the next message that matches; rejects when the program ends. */
  when(matches: (message: Message) => boolean): Promise<Message>;
  stop(): Promise<void>;
}

interface Waiting {
  readonly matches: (message: Message) => boolean;
  readonly resolve: (message: Message) => void;
  readonly reject: (error: Error) => void;
}

/** `onText` receives lines that are not JSON: some programs print plain text too. */
export function startChild(launch: Launch, onText: (line: string) => void = () => {}): Child {
  const { command, args, cwd, env } = launch;
  // Start it in its own process group, as every client must that wants to end the whole tree. Linux also schedules the processor by these
  // groups.
  const child = spawn(command, args, { cwd, env, stdio: ["pipe", "pipe", "ignore"], detached: true });
  const exited = once(child, "exit");
  let waiting: Waiting[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => {
    if (!line.startsWith("{")) return onText(line);
    const message = JSON.parse(line) as Message;
    const met = waiting.filter(({ matches }) => matches(message));
    if (met.length > 0) waiting = waiting.filter((one) => !met.includes(one));
    for (const { resolve } of met) resolve(message);
  });
  void exited.then(() => {
    for (const { reject } of waiting.splice(0)) reject(new Error(`${command} exited.`));
  });
  return {
    write: (message) => void child.stdin.write(`${JSON.stringify(message)}\n`),
    when: (matches) => new Promise((resolve, reject) => waiting.push({ matches, resolve, reject })),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
      const group = -child.pid;
      process.kill(group, "SIGTERM");
      const insist = setTimeout(() => process.kill(group, "SIGKILL"), 3_000);
      await exited;
      clearTimeout(insist);
    },
  };
}
