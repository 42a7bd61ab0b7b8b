import { z } from "zod";
import { common, modeSchema } from "./base.ts";

const commandSchema = z.object({ name: z.string(), description: z.string().optional() });

/** A leg began: an agent took the session up, fresh or resumed. */
export const sessionStarted = z.object({
  type: z.literal("session.started"),
  /** The model, as the agent calls it. */
  model: z.string().optional(),
  /** The model's name for people. */
  modelLabel: z.string().optional(),
  /** How much it may do without asking. */
  mode: modeSchema,
  /** The agent's own name of the mode. */
  nativeMode: z.string().optional(),
  /** The workspace, absolute. */
  cwd: z.string(),
  /** The agent's own names of its tools. */
  tools: z.array(z.string()).optional(),
  /** It goes on from an earlier state. */
  resumed: z.boolean(),
  /** The version of the agent's program. */
  agentVersion: z.string().optional(),
  /** Opaque; hand it back to resume. */
  state: z.string().optional(),
  ...common,
});

/** Something about the session changed. */
export const sessionUpdated = z.object({
  type: z.literal("session.updated"),
  /** What the conversation is about, for people. */
  title: z.string().optional(),
  model: z.string().optional(),
  /** How much it may do without asking, from now on. */
  mode: modeSchema.optional(),
  nativeMode: z.string().optional(),
  /** What the agent offers as slash commands. */
  commands: z.array(commandSchema).optional(),
  tools: z.array(z.string()).optional(),
  state: z.string().optional(),
  /** The agent forgot the conversation so far. */
  reset: z.boolean().optional(),
  /** Who changed it. */
  by: z.enum(["person", "agent", "policy", "route"]),
  /** Why, for people. */
  reason: z.string().optional(),
  ...common,
});
