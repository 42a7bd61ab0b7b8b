import type { PlanEntry } from "../../../events/types.ts";
import { ToolProblem } from "../../shared/endings.ts";
import { defineTool } from "./definition.ts";

const statuses = ["pending", "in_progress", "completed"] as const;

/** The list of what is to be done, for the person to see. */
export const plan = defineTool<{ readonly entries: PlanEntry[] }>({
  name: "plan",
  tool: "plan",
  description: "Keep a list of the steps of a longer work, for the person to see. Give the whole list each time.",
  inputSchema: {
    type: "object",
    properties: {
      entries: {
        type: "array",
        items: {
          type: "object",
          properties: { text: { type: "string" }, status: { type: "string", enum: [...statuses] } },
          required: ["text", "status"],
        },
      },
    },
    required: ["entries"],
  },
  check: (input) => ({
    entries: input.list("entries").map((entry) => {
      const status = statuses.find((word) => word === entry.text("status"));
      if (status === undefined)
        throw new ToolProblem(`status must be one of ${statuses.join(", ")} in the input of plan.`);
      return { text: entry.text("text"), status };
    }),
  }),
  about: () => ({}),
  run: async (turn, { entries }) => {
    await turn.emit({ type: "plan.updated", entries });
    return { text: "The list is kept." };
  },
});
