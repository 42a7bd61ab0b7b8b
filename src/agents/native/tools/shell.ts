import { runCommand } from "../run-command.ts";
import { defineTool } from "./definition.ts";

const usualSeconds = 120;
const mostSeconds = 600;

interface Input {
  readonly command: string;
  readonly seconds: number;
  readonly background: boolean;
}

export const shell = defineTool<Input>({
  name: "shell",
  tool: "shell",
  description:
    "Run a command line with bash in the working folder. It has no terminal and no input. In the background it outlives your turn, and you are told when it ends.",
  inputSchema: {
    type: "object",
    properties: {
      command: { type: "string" },
      seconds: {
        type: "integer",
        minimum: 1,
        maximum: mostSeconds,
        description: `It is ended after this long; ${usualSeconds} unless given. Not in the background.`,
      },
      background: { type: "boolean" },
    },
    required: ["command"],
  },
  check: (input) => ({
    command: input.text("command"),
    seconds: Math.min(input.optionalCount("seconds") ?? usualSeconds, mostSeconds),
    background: input.flag("background"),
  }),
  about: ({ command }) => ({ command }),
  // Exactly this line: what a longer one would do cannot be told from its beginning.
  rule: ({ command }) => ({ key: `shell ${command}`, label: command }),
  run: async (turn, { command, seconds, background }, { callId }) => {
    if (!background) return runCommand(turn, callId, command, seconds * 1_000);
    const taskId = await turn.desk.background.start(turn, {
      callId,
      kind: "shell",
      title: command,
      work: async (inside) => {
        const { text, exitCode } = await runCommand(inside, undefined, command);
        return { text: `Exit code ${exitCode}.\n${text}`, failed: exitCode !== 0 };
      },
    });
    return { text: `It runs in the background as ${taskId}. You will be told when it ends.` };
  },
});
