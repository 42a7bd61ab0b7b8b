/** One command line, run by bash in a group of its own; ended with the turn at the latest. */
import { clipText } from "../../events/clip.ts";
import { findCommand } from "../../process/index.ts";
import type { Child } from "../../process/types.ts";
import { orEnd, ToolProblem } from "../shared/endings.ts";
import { shellEnvironment } from "./shell-environment.ts";
import type { Done } from "./tools/definition.ts";
import type { Turn } from "./turn.ts";

/** With a `callId` its output is told as it comes. Without a limit it runs until it ends by itself. */
export async function runCommand(
  turn: Turn,
  callId: string | undefined,
  command: string,
  limitMs?: number,
): Promise<Done & { exitCode: number }> {
  const child = await launch(turn, command);
  const late = new AbortController();
  const timer = limitMs === undefined ? undefined : setTimeout(() => late.abort(), limitMs);
  try {
    return await follow(turn, child, callId, late.signal);
  } finally {
    clearTimeout(timer);
    await child.stop({ politely: false });
  }
}

async function launch(turn: Turn, command: string): Promise<Child> {
  const { context, options } = turn.desk;
  const env = shellEnvironment(turn.desk);
  const shell = (await findCommand("bash", env)) === undefined ? "sh" : "bash";
  turn.signal.throwIfAborted();
  return context.processes.launch({
    command: shell,
    // What it complains about belongs between the lines it was about.
    args: ["-c", `exec 2>&1\n${command}`],
    cwd: options.cwd,
    env,
    agent: "native",
    sessionId: options.sessionId,
    stdin: "ignore",
  });
}

async function follow(
  turn: Turn,
  child: Child,
  callId: string | undefined,
  late: AbortSignal,
): Promise<Done & { exitCode: number }> {
  const limit = turn.desk.context.limits.inlineBytes;
  let text = "";
  let bytes = 0;
  const stop = AbortSignal.any([turn.signal, late]);
  const heard = async <Value>(promise: Promise<Value>): Promise<Value> => {
    try {
      return await orEnd(stop, promise);
    } catch (thrown) {
      turn.signal.throwIfAborted();
      if (late.aborted) throw new TimeUp(text);
      throw thrown;
    }
  };
  const batches = child.lines[Symbol.asyncIterator]();
  for (let next = await heard(batches.next()); next.done !== true; next = await heard(batches.next())) {
    const { lines, overlong } = next.value;
    const left = overlong > 0 ? [`(${overlong} lines too long to read were left out)`] : [];
    const output = [...lines, ...left].map((line) => `${line}\n`).join("");
    if (output === "") continue;
    bytes += Buffer.byteLength(output);
    if (text.length < limit) text += output.slice(0, limit - text.length);
    if (callId !== undefined) await turn.emit({ type: "tool.progress", callId, output });
  }
  const { code, signal } = await heard(child.exited);
  if (code === null) throw new ToolProblem(`It was ended by ${signal ?? "a signal"}.`);
  return { text: clipText(text, limit).text, bytes, exitCode: code };
}

/** It ran longer than it was given. */
export class TimeUp extends Error {
  /** What it printed until then. */
  readonly output: string;

  constructor(output: string) {
    super("It ran longer than it was given, and was ended.");
    this.output = output;
  }
}
