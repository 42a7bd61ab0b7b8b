import { childEnvironment, findCommand } from "../../../process/index.ts";
import { inForeground } from "../../shared/in-process/background.ts";
import { runProgram, type RunOptions } from "../../shared/in-process/run-program.ts";
import type { Done } from "../../shared/in-process/tool-call.ts";
import type { TurnContext } from "../../shared/in-process/turn.ts";
import { keyVariables } from "../endpoints.ts";
import { runSubagent } from "../loop.ts";
import type { Turn } from "../turn.ts";
import { count, defineTool, flag, optional, text } from "./definition.ts";

const usualSeconds = 120;
const mostSeconds = 600;

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
    if (!background) return runCommand(turn, command, { callId, limitMs: seconds * 1_000 });
    const taskId = await turn.context.background.start(turn, {
      callId,
      kind: "shell",
      title: command,
      work: async (inside) => {
        const { text: output, exitCode } = await runCommand(inside, command, {});
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
    const about = { callId, kind: "subagent" as const, title: description ?? prompt };
    if (!background) return { text: await inForeground(turn, about, (inside) => runSubagent(inside, prompt)) };
    const work = async (inside: Turn) => ({ text: await runSubagent(inside, prompt), failed: false });
    const taskId = await turn.context.background.start(turn, { ...about, work });
    return { text: `It runs in the background as ${taskId}. You will be told when it reports.` };
  },
});

/** The environment of programs that the model runs, without the keys to the model itself. */
export function shellEnvironment({ host, options }: Pick<TurnContext, "host" | "options">): Record<string, string> {
  const added = Object.entries(options.env ?? {}).filter(([name]) => !keyVariables.includes(name));
  return childEnvironment(host.env, { set: Object.fromEntries(added) });
}

async function runCommand(turn: Turn, command: string, options: RunOptions): Promise<Done & { exitCode: number }> {
  const env = shellEnvironment(turn.context);
  const shellName = (await findCommand("bash", env)) === undefined ? "sh" : "bash";
  // Errors belong between the lines of output that they are about.
  return runProgram(turn, { command: shellName, args: ["-c", `exec 2>&1\n${command}`], env }, options);
}
