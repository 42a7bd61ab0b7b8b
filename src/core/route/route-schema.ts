/** How a route is set in a configuration or an agent file. Loading this file loads zod. */
import { z } from "zod";

export const routeSchema = z.strictObject({
  patience: z
    .number()
    .nonnegative()
    .optional()
    .describe("Seconds that the end of a limit may be away to be waited for, instead of moving on"),
  afterSideEffects: z
    .enum(["handoff", "stop"])
    .optional()
    .describe("When the turn has changed something already: the next agent goes on, or the turn ends"),
  briefing: z.number().int().min(500).optional().describe("Characters that the next agent is told at most"),
});
