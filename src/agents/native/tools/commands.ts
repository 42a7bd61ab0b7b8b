/** Tools that start work: a command line, or a subagent. */
import { clipText } from "../../../events/clip.ts";
import { childEnvironment, findCommand } from "../../../process/index.ts";
import type { Child } from "../../../process/types.ts";
import { orEnd, ToolProblem } from "../../shared/in-process/stop-turn.ts";
import type { Done } from "../../shared/in-process/tool-call.ts";
import type { TurnContext } from "../../shared/in-process/turn.ts";
import { keyVariables } from "../endpoints.ts";
import { runSubagent } from "../loop.ts";
import type { Turn } from "../turn.ts";
import { count, defineTool, flag, optional, text } from "./definition.ts";

const usualSeconds = 120;
const mostSeconds = 600;
const tooLong = "It ran longer than it was given, and was ended.";

export const shell = defineTool({
  tool: "shell",
  description:
    "Run a command line with bash in the working folder. It has no terminal and no input. In the background it outlives your turn, and you are told when it ends.",
  input: {
    command: text(),
    seconds: optional(
      count(`It is ended after this long; ${usualSeconds} unless given. Not in the background.`, mostSeconds),
      usualSeconds,
    ),
    background: flag(),
  },
  run: async (turn, { command, seconds, background }, { callId }) => {
    if (!background) return runCommand(turn, callId, command, seconds * 1_000);
    const taskId = await turn.context.background.start(turn, {
      callId,
      kind: "shell",
      title: command,
      work: async (inside) => {
        const { text: output, exitCode } = await runCommand(inside, undefined, command);
        return { text: `Exit code ${exitCode}.\n${output}`, failed: exitCode !== 0 };
      },
    });
    return { text: `It runs in the background as ${taskId}. You will be told when it ends.` };
  },
});

export const task = defineTool({
  tool: "task",
  description:
    "Hand a part of the work to a subagent with the same tools. It knows only the prompt; its last message comes back to you. In the background it outlives your turn, and you are told when it reports.",
  input: {
    description: optional(text("A few words for the person."), undefined),
    prompt: text(),
    background: flag(),
  },
  about: ({ description, prompt }) => ({ description: description ?? prompt }),
  run: async (turn, { description, prompt, background }, { callId }) => {
    const tasks = turn.context.background;
    const about = { callId, kind: "subagent" as const, title: description ?? prompt };
    if (!background) return { text: await tasks.inForeground(turn, about, (inside) => runSubagent(inside, prompt)) };
    const work = async (inside: Turn) => ({ text: await runSubagent(inside, prompt), failed: false });
    const taskId = await tasks.start(turn, { ...about, work });
    return { text: `It runs in the background as ${taskId}. You will be told when it reports.` };
  },
});

/** The environment of programs that the model runs: never the keys to the model itself. */
export function shellEnvironment({ host, options }: Pick<TurnContext, "host" | "options">): Record<string, string> {
  const added = Object.entries(options.env ?? {}).filter(([name]) => !keyVariables.includes(name));
  return childEnvironment(host.env, { set: Object.fromEntries(added) });
}

/** With a `callId` its output is told as it comes. Without a limit it runs until it ends by itself. */
async function runCommand(
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
  const { host, options } = turn.context;
  const env = shellEnvironment(turn.context);
  const program = (await findCommand("bash", env)) === undefined ? "sh" : "bash";
  turn.signal.throwIfAborted();
  return host.processes.launch({
    command: program,
    // Errors belong between the lines of output that they are about.
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
  const limit = turn.context.host.limits.inlineBytes;
  let printed = "";
  let bytes = 0;
  const stop = AbortSignal.any([turn.signal, late]);
  const inTime = async <Value>(promise: Promise<Value>): Promise<Value> => {
    try {
      return await orEnd(stop, promise);
    } catch (thrown) {
      turn.signal.throwIfAborted();
      if (late.aborted) throw new ToolProblem(tooLong, "timeout", undefined, printed);
      throw thrown;
    }
  };
  const batches = child.lines[Symbol.asyncIterator]();
  for (let next = await inTime(batches.next()); next.done !== true; next = await inTime(batches.next())) {
    const { lines, overlong } = next.value;
    const left = overlong > 0 ? [`(${overlong} lines too long to read were left out)`] : [];
    const output = [...lines, ...left].map((line) => `${line}\n`).join("");
    if (output === "") continue;
    bytes += Buffer.byteLength(output);
    if (printed.length < limit) printed += output.slice(0, limit - printed.length);
    if (callId !== undefined) await turn.emit({ type: "tool.progress", callId, output });
  }
  const { code, signal } = await inTime(child.exited);
  if (code === null) throw new ToolProblem(`It was ended by ${signal ?? "a signal"}.`);
  return { text: clipText(printed, limit).text, bytes, exitCode: code };
}
