/** The options of a session. A description that is a scope means that the option needs that scope. */
import { z } from "@hono/zod-openapi";
import type { McpServer } from "../../agents/contract.ts";
import { continueSchema, afterSchema, budgetSchema } from "../../core/config/config-schema.ts";
import { ruleSchema } from "../../core/policy/rules-schema.ts";
import { folder, mode, word } from "./common.ts";

const words = z.array(word).max(1_000);
const filter = z.strictObject({ allowed: words.optional(), disallowed: words.optional() });
const variables = z.record(word, z.string());

const mcpServer = z.union([
  z.strictObject({ command: word, args: z.array(z.string()).optional(), env: variables.optional() }),
  z.strictObject({ type: z.enum(["http", "sse"]), url: z.url(), headers: variables.optional() }),
]) as unknown as z.ZodType<McpServer>;

const remote = z.strictObject({
  repository: word.optional(),
  ref: word.optional(),
  branch: word.optional(),
  pullRequest: word.optional(),
  createPr: z.boolean().optional(),
  asApp: z.boolean().optional(),
  noReviewer: z.boolean().optional(),
  name: word.optional(),
  webhook: z
    .strictObject({ url: z.url(), secret: z.string().min(1) })
    .optional()
    .describe("admin"),
});

const route = z.strictObject({
  patienceMs: z.number().min(0).optional(),
  afterSideEffects: z.enum(["handoff", "stop"]).optional(),
  briefingChars: z.number().int().positive().optional(),
});

const optionFields = {
  agent: word.optional().describe("By id, or by the name of an agent file; a command (`acp:...`): admin"),
  agentFile: word.optional(),
  cwd: folder.optional(),
  mode: mode.optional().describe("`edits` and `full`: approve"),
  widestMode: mode.optional().describe("The widest mode to use if `mode` is not set, whatever is configured"),
  model: word.optional(),
  fallbackModel: word.optional(),
  locale: word.optional(),
  resume: z.string().min(1).max(100_000).optional().describe("The id of a stored session; a state: admin"),
  fork: z.boolean().optional(),
  handoff: word.optional(),
  fallback: words.optional(),
  route: route.optional(),
  history: z.array(z.strictObject({ role: z.enum(["person", "agent"]), text: z.string() })).optional(),
  systemPrompt: z.strictObject({ text: z.string(), how: z.enum(["append", "replace"]) }).optional(),
  rules: z.array(ruleSchema).optional().describe("Rules that allow something: approve"),
  tools: filter.extend({ first: filter.optional() }).optional().describe("`allowed`: approve"),
  allowUnenforced: z.boolean().optional().describe("approve"),
  directories: z.array(folder).optional(),
  maxTurns: z.number().int().positive().optional(),
  maxBudgetUsd: z.number().positive().optional(),
  maxQuietMs: z.number().positive().optional(),
  continue: z.array(continueSchema).optional(),
  remote: remote.optional(),
  raw: z.boolean().optional(),
  attended: z.boolean().optional().describe("False: nobody can answer, and permission requests are denied at once"),
  messageBytes: z.number().int().positive().optional().describe("Maximum bytes of a message in its event"),
  budget: budgetSchema.optional().describe("admin"),
  after: afterSchema.optional().describe("admin"),
  mcpServers: z.record(word, mcpServer).optional().describe("admin"),
  extraArgs: z.array(z.string()).optional().describe("admin"),
  env: variables.optional().describe("admin"),
};

export const sessionOptions = z.strictObject(optionFields).openapi("SessionOptions");
export type SessionOptionsBody = z.output<typeof sessionOptions>;
export const optionShape = optionFields;
