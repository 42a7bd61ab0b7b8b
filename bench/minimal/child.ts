/** A program that prints a JSON message a line: each is parsed, and handed to whoever waits for it. Nothing else. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Launch, Message } from "./client.ts";

export interface Child {
  write(message: object): void;
  /** The first message from now on of which this is true; rejects when the program ends. */
  when(matches: (message: Message) => boolean): Promise<Message>;
  stop(): Promise<void>;
}

interface Waiting {
  readonly matches: (message: Message) => boolean;
  readonly resolve: (message: Message) => void;
  readonly reject: (error: Error) => void;
}

/** Some print plain text too, which goes to `onText`. */
export function startChild(launch: Launch, onText: (line: string) => void = () => {}): Child {
  const { command, args, cwd, env } = launch;
  // In a group of its own, as any client must start it that wants to end all of it; Linux shares the processor out by such groups.
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
    for (const { reject } of waiting.splice(0)) reject(new Error(`${command} ended.`));
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
