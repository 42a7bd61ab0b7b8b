import type { QuestionAnswer } from "../../contract.ts";
import { defineTool } from "./definition.ts";

interface Input {
  readonly question: string;
  readonly choices: readonly string[];
  readonly multiple: boolean;
}

export const question = defineTool<Input>({
  name: "question",
  tool: "question",
  description: "Ask the person something you cannot find out yourself. They may choose, or answer in their own words.",
  inputSchema: {
    type: "object",
    properties: {
      question: { type: "string" },
      choices: { type: "array", items: { type: "string" } },
      multiple: { type: "boolean", description: "Several choices may be taken." },
    },
    required: ["question"],
  },
  check: (input) => ({
    question: input.text("question"),
    choices: input.texts("choices"),
    multiple: input.flag("multiple"),
  }),
  about: (input) => ({ description: input.question }),
  run: async (turn, input, { callId }) => {
    const answer = (await turn.request({
      type: "question.requested",
      requestId: turn.newId("question"),
      callId,
      questions: [
        {
          id: "answer",
          text: input.question,
          options: input.choices.map((label) => ({ label })),
          multiple: input.multiple,
          free: true,
        },
      ],
    })) as QuestionAnswer;
    const words = answer.decision === "answer" ? answer.answers?.["answer"] : undefined;
    return {
      text: words === undefined ? (answer.message ?? "The question was left open.") : [words].flat().join(", "),
    };
  },
});
