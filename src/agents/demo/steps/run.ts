import { childEnvironment } from "../../../process/index.ts";
import type { Child } from "../../../process/types.ts";
import { ToolProblem, orEnd } from "../../shared/endings.ts";
import type { StepOf } from "../grammar.ts";
import type { Turn } from "../turn.ts";
import { useTool } from "../use-tool.ts";
import type { Done } from "../use-tool.ts";
import { splitWords } from "../words.ts";

export async function run(turn: Turn, step: StepOf<"run">): Promise<void> {
  await useTool(turn, {
    name: "run",
    input: { command: step.command },
    held: true,
    run: async (input, callId) => {
      const child = await launch(turn, input.command);
      try {
        return await follow(turn, callId, child, input.command);
      } finally {
        await child.stop({ politely: false });
      }
    },
  });
}

async function launch(turn: Turn, line: string): Promise<Child> {
  const { context, options } = turn.desk;
  const [command, ...args] = splitWords(line);
  if (command === undefined) throw new ToolProblem("There is no command to run.");
  turn.signal.throwIfAborted();
  return context.processes.launch({
    command,
    args,
    cwd: options.cwd,
    env: childEnvironment(context.env, { set: options.env }),
    agent: "demo",
    sessionId: options.sessionId,
    stdin: "ignore",
  });
}

/** Hands the output on as it comes and keeps the beginning of it. */
async function follow(turn: Turn, callId: string, child: Child, line: string): Promise<Done> {
  const limit = turn.desk.context.limits.inlineBytes;
  let text = "";
  let bytes = 0;
  const add = async (output: string): Promise<void> => {
    if (text.length < limit) text += output.slice(0, limit - text.length);
    bytes += Buffer.byteLength(output);
    await turn.emit({ type: "tool.progress", callId, output });
  };
  const lines = child.lines[Symbol.asyncIterator]();
  for (
    let next = await orEnd(turn.signal, lines.next());
    next.done !== true;
    next = await orEnd(turn.signal, lines.next())
  ) {
    const { lines: some, overlong } = next.value;
    if (some.length > 0) await add(`${some.join("\n")}\n`);
    if (overlong > 0)
      await turn.emit({
        type: "notice",
        level: "warning",
        code: "truncated",
        message: "Lines too long to read were left out.",
        count: overlong,
      });
  }
  const { code, signal } = await orEnd(turn.signal, child.exited);
  const complaint = child.stderrTail();
  if (complaint !== "") await add(complaint);
  if (code === null) throw new ToolProblem(`It was ended by ${signal ?? "a signal"}.`);
  return {
    output: { text, bytes, kept: Buffer.byteLength(text) },
    exitCode: code,
    note: code === 0 ? `Ran ${line}` : `Ran ${line}, which ended with ${code}`,
  };
}
