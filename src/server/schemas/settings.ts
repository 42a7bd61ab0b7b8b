/** Usage, policy, configuration, what runs, what is kept. */
import { z } from "@hono/zod-openapi";
import type { Brought, ListedRule, PolicyTrial, PolicyView, RunningAgent } from "../../core/api.ts";
import type { Setting } from "../../core/configuration-origins.ts";
import { tools } from "../../events/tools.ts";
import { folder, mode, open, word } from "./common.ts";
import { prompt } from "./prompt.ts";
import { optionShape } from "./session-options.ts";

export const usageQuery = z.object({ since: z.iso.date().optional().describe("YYYY-MM-DD") });
export const usageAnswer = z.object({ rows: z.array(open), limits: z.array(open), down: z.array(open) });

const listedRule = z.looseObject({ number: z.number().int(), said: z.string(), source: z.string() });
export const policyAnswer = z.object({ cwd: z.string(), rules: z.array(listedRule), remarks: z.array(z.string()) });
export const policyTestBody = z.strictObject({
  cwd: folder.optional(),
  tool: z.enum(tools),
  input: z.unknown(),
  mcp: z.strictObject({ server: word, tool: word }).optional(),
  agent: word.optional(),
  mode: mode.optional(),
});
export const policyTrial = z.looseObject({ decision: z.enum(["allow", "deny", "ask"]), why: z.string() });
export const ruleParams = z.object({ number: z.coerce.number().int().min(1) });
export const removedRule = listedRule;

export const configurationAnswer = z.object({
  settings: z.array(z.looseObject({ key: z.string(), from: z.string() })),
  remarks: z.array(z.string()),
});
export const psAnswer = z.object({
  running: z.array(z.looseObject({ agent: z.string(), pid: z.number().int(), owner: z.number().int() })),
});
export const contextBody = z.strictObject({ ...optionShape, prompt: prompt.optional() });
export const contextAnswer = z.looseObject({ model: z.string(), system: z.string() });

export const collectBody = z.strictObject({
  keepDays: z.number().positive().optional(),
  maxMb: z.number().positive().optional(),
  dry: z.boolean().optional(),
  daily: z.boolean().optional(),
});
export const collectAnswer = z.looseObject({ sessions: z.array(open), files: z.number().int() });
export const importBody = z.strictObject({ agent: word.optional(), cwd: folder.optional() });
export const importAnswer = z.object({ brought: z.array(z.looseObject({ outcome: z.string() })) });

export type PolicyAnswer = Pick<PolicyView, "cwd" | "rules" | "remarks">;
export type PolicyTrialAnswer = PolicyTrial;
export type RemovedRule = ListedRule;
export interface ConfigurationAnswer {
  readonly settings: readonly Setting[];
  readonly remarks: readonly string[];
}
export interface PsAnswer {
  readonly running: readonly RunningAgent[];
}
export interface ImportAnswer {
  readonly brought: readonly Brought[];
}
