import { runSubagent } from "../subagent.ts";
import { defineTool } from "./definition.ts";

interface Input {
  readonly description: string;
  readonly prompt: string;
  readonly background: boolean;
}

export const task = defineTool<Input>({
  name: "task",
  tool: "task",
  description:
    "Hand a part of the work to a subagent with the same tools. It knows only the prompt; its last message comes back to you. In the background it outlives your turn, and you are told when it reports.",
  inputSchema: {
    type: "object",
    properties: {
      description: { type: "string", description: "A few words for the person." },
      prompt: { type: "string" },
      background: { type: "boolean" },
    },
    required: ["prompt"],
  },
  check: (input) => {
    const prompt = input.text("prompt");
    return { description: input.optionalText("description") ?? prompt, prompt, background: input.flag("background") };
  },
  about: ({ description }) => ({ description }),
  run: async (turn, { description, prompt, background }, { callId }) => {
    const work = { callId, kind: "subagent" as const, title: description };
    if (background) {
      const taskId = await turn.desk.background.start(turn, {
        ...work,
        work: async (inside) => ({ text: await runSubagent(inside, prompt), failed: false }),
      });
      return { text: `It runs in the background as ${taskId}. You will be told when it reports.` };
    }
    return { text: await turn.desk.background.inForeground(turn, work, (inside) => runSubagent(inside, prompt)) };
  },
});
