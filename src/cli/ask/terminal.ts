import { openSync } from "node:fs";
import { ReadStream } from "node:tty";
import type { Screen } from "../render/screen.ts";

/** The terminal at which a user can be asked. */
export interface Terminal extends Disposable {
  /** One line; undefined when the user ends the input (Ctrl-D) or the question is settled otherwise. */
  ask(question: string, signal: AbortSignal): Promise<string | undefined>;
}

/** Where a request is shown and asked. */
export interface AskContext {
  readonly terminal: Terminal;
  readonly screen: Screen;
}

/** Keys pressed before the question was on the screen are no answer to it. */
const typedAheadMs = 60;

/** Undefined when stderr, where questions stand, is not a terminal. Asks through the terminal itself when stdin is a pipe. */
export function findTerminal(): Terminal | undefined {
  const input = process.stderr.isTTY ? openTerminal() : undefined;
  if (input === undefined) return undefined;
  return {
    ask: (question, signal) => askLine(input, question, signal),
    [Symbol.dispose]: () => void input.destroy(),
  };
}

/** Whether a person at the terminal agrees; without a terminal nobody does, and a line says how to go on without asking. */
export async function agreed(screen: Screen, question: string, ending: AbortSignal): Promise<boolean> {
  using terminal = findTerminal();
  if (terminal === undefined) screen.line("Nobody can be asked here; `--yes` does it without asking.", "yellow");
  const answer = await terminal?.ask(question, ending);
  return isYes(answer);
}

export function isYes(answer: string | undefined): boolean {
  return /^\s*y(?:es)?\s*$/i.test(answer ?? "");
}

function openTerminal(): ReadStream | undefined {
  if (process.stdin.isTTY && !process.stdin.readableEnded) return process.stdin;
  try {
    return new ReadStream(openSync(process.platform === "win32" ? "\\\\.\\CONIN$" : "/dev/tty", "r"));
  } catch {
    return undefined;
  }
}

async function askLine(input: ReadStream, question: string, signal: AbortSignal): Promise<string | undefined> {
  const { createInterface } = await import("node:readline/promises");
  await dropTypedAhead(input);
  const lines = createInterface({ input, output: process.stderr, terminal: true, historySize: 0 });
  // In raw mode Ctrl-C is a character: make it the signal it means.
  lines.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  const ended = new Promise<undefined>((resolve) => lines.once("close", () => resolve(undefined)));
  try {
    return await Promise.race([lines.question(question, { signal }), ended]);
  } catch {
    return undefined;
  } finally {
    lines.close();
  }
}

async function dropTypedAhead(input: ReadStream): Promise<void> {
  const drop = (): void => undefined;
  input.setRawMode(true);
  input.on("data", drop).resume();
  await new Promise((resolve) => setTimeout(resolve, typedAheadMs));
  input.off("data", drop);
}
