/** Runs programs for the tools of an agent in this process. */
import { clipText } from "../../../events/clip.ts";
import type { Child } from "../../../process/types.ts";
import { orEnd, ToolProblem } from "./stop-turn.ts";
import type { Done } from "./tool-call.ts";
import type { InProcessTurn } from "./turn.ts";

export interface ProgramSpec {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Record<string, string>;
}

export async function launchProgram(turn: InProcessTurn, spec: ProgramSpec): Promise<Child> {
  const { agent, host, options } = turn.context;
  turn.signal.throwIfAborted();
  return host.processes.launch({
    ...spec,
    cwd: options.cwd,
    agent,
    sessionId: options.sessionId,
    stdin: "ignore",
  });
}

export interface RunOptions {
  /** Reports output as progress of this call. */
  readonly callId?: string | undefined;
  readonly limitMs?: number | undefined;
  readonly withStderr?: boolean | undefined;
}

/** Runs a program to its end and keeps the beginning of its output. */
export async function runProgram(
  turn: InProcessTurn,
  spec: ProgramSpec,
  { callId, limitMs, withStderr }: RunOptions,
): Promise<Done & { exitCode: number }> {
  const child = await launchProgram(turn, spec);
  const late = new AbortController();
  const timer = limitMs === undefined ? undefined : setTimeout(() => late.abort(), limitMs);
  try {
    return await follow(turn, child, { callId, withStderr }, late.signal);
  } finally {
    clearTimeout(timer);
    await child.stop({ politely: false });
  }
}

async function follow(
  turn: InProcessTurn,
  child: Child,
  { callId, withStderr }: RunOptions,
  late: AbortSignal,
): Promise<Done & { exitCode: number }> {
  const limit = turn.context.host.limits.inlineBytes;
  let printed = "";
  let bytes = 0;
  const add = async (output: string): Promise<void> => {
    if (output === "") return;
    bytes += Buffer.byteLength(output);
    if (printed.length < limit) printed += output.slice(0, limit - printed.length);
    if (callId !== undefined) await turn.emit({ type: "tool.progress", callId, output });
  };
  const stop = AbortSignal.any([turn.signal, late]);
  const inTime = async <Value>(promise: Promise<Value>): Promise<Value> => {
    try {
      return await orEnd(stop, promise);
    } catch (thrown) {
      turn.signal.throwIfAborted();
      if (!late.aborted) throw thrown;
      throw new ToolProblem("It exceeded its time limit and was stopped.", "timeout", undefined, printed);
    }
  };
  const batches = child.lines[Symbol.asyncIterator]();
  for (let next = await inTime(batches.next()); next.done !== true; next = await inTime(batches.next())) {
    const { lines, overlong: count } = next.value;
    await add(lines.map((line) => `${line}\n`).join(""));
    if (count === 0) continue;
    await add(`(${count} lines too long to read were left out)\n`);
    const message = "Lines too long to read were left out.";
    if (callId !== undefined) await turn.emit({ type: "notice", level: "warning", code: "truncated", message, count });
  }
  const { code, signal } = await inTime(child.exited);
  if (withStderr === true) await add(child.stderrTail());
  if (code === null) throw new ToolProblem(`It was ended by ${signal ?? "a signal"}.`);
  return { text: clipText(printed, limit).text, bytes, exitCode: code };
}
