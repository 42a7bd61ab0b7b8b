import { openSync } from "node:fs";
import { ReadStream } from "node:tty";
import type { Screen } from "../render/screen.ts";

/** A terminal at which a user can be asked. */
export interface Terminal extends Disposable {
  /** Reads one line. Undefined when the user ends the input (Ctrl-D) or the request is settled elsewhere. */
  ask(question: string, signal: AbortSignal): Promise<string | undefined>;
}

export interface AskContext {
  readonly terminal: Terminal;
  readonly screen: Screen;
}

/** Keys pressed before the question was on the screen do not count as an answer. */
const typedAheadMs = 60;

/** Undefined when stderr, where questions appear, is not a terminal. When stdin is a pipe, reads from the terminal device instead. */
export function findTerminal(): Terminal | undefined {
  const input = process.stderr.isTTY ? openTerminal() : undefined;
  if (input === undefined) return undefined;
  return {
    ask: (question, signal) => askLine(input, question, signal),
    [Symbol.dispose]: () => void input.destroy(),
  };
}

/** Asks for a yes at the terminal. Without a terminal it returns false and prints how to continue without being asked. */
export async function agreed(screen: Screen, question: string, ending: AbortSignal): Promise<boolean> {
  using terminal = findTerminal();
  if (terminal === undefined)
    screen.line("There is no terminal to confirm at. Use `--yes` to run without asking.", "yellow");
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
  // In raw mode Ctrl-C is a character: send the signal instead.
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
