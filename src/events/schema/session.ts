import { z } from "zod";
import { common, modeSchema } from "./base.ts";

const commandSchema = z.object({ name: z.string(), description: z.string().optional() });

/** An agent took the session, fresh or resumed. Every leg of a session starts with this event. */
export const sessionStarted = z.object({
  type: z.literal("session.started"),
  /** Model name as the agent spells it. */
  model: z.string().optional(),
  /** Model name for people. */
  modelLabel: z.string().optional(),
  /** How much the agent may do without asking. */
  mode: modeSchema,
  /** The agent's own name of the mode. */
  nativeMode: z.string().optional(),
  /** Absolute path of the workspace. */
  cwd: z.string(),
  /** The agent's own names of its tools. */
  tools: z.array(z.string()).optional(),
  /** True when the agent resumed an earlier conversation. */
  resumed: z.boolean(),
  /** Version of the agent's program. */
  agentVersion: z.string().optional(),
  /** Opaque state of the conversation. Pass it as `resume` to continue later. */
  state: z.string().optional(),
  ...common,
});

/** Properties of the session changed. Only the changed fields are set. */
export const sessionUpdated = z.object({
  type: z.literal("session.updated"),
  /** Title of the conversation. */
  title: z.string().optional(),
  model: z.string().optional(),
  /** The mode from now on. */
  mode: modeSchema.optional(),
  nativeMode: z.string().optional(),
  /** Slash commands that the agent offers. */
  commands: z.array(commandSchema).optional(),
  tools: z.array(z.string()).optional(),
  state: z.string().optional(),
  /** True when the agent has forgotten the conversation so far, for example after `/clear`. */
  reset: z.boolean().optional(),
  /** Source of the change. */
  by: z.enum(["person", "agent", "policy", "route"]),
  /** Why, for people. */
  reason: z.string().optional(),
  ...common,
});
