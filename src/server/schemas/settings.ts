/** Usage, policy, configuration, running processes and stored data. */
import { z } from "@hono/zod-openapi";
import type { ListedRule, PolicyTrial, PolicyView, RunningAgent } from "../../core/api.ts";
import type { Setting } from "../../core/config/config-origins.ts";
import { tools } from "../../events/tools.ts";
import type { RepositoryStatus } from "../../view/repository.ts";
import { folder, mode, open, prompt, word, type Field, type Output } from "./common.ts";
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

export const repositoryAnswer = z.object({
  repository: z
    .looseObject({ repoName: z.string(), branch: z.string(), status: z.string(), action: open })
    .nullable()
    .describe("Null if the folder has no git work tree"),
});

export const repositoryActionBody = z.strictObject({
  cwd: folder.optional(),
  skill: word.max(100).optional().describe("Default: the next step of the repository"),
  confirm: z.literal(true).optional().describe("Runs the commands; needs the scope approve"),
  shown: z
    .string()
    .max(10_000)
    .optional()
    .describe("The commands that the person has confirmed; other commands are refused"),
  reviewers: z.array(word.max(200)).min(1).max(15).optional().describe("For request-review"),
  as: z.literal("prompt").optional().describe("Return the text of the skill, even if the action is only a command"),
});
export const repositoryActionAnswer = z.looseObject({ kind: z.enum(["commands", "ran", "prompt"]), skill: z.string() });

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

export type RepositoryAnswer = Field<"repository", RepositoryStatus | null>;
export type PolicyAnswer = Pick<PolicyView, "cwd" | "rules" | "remarks">;
export type PolicyTrialAnswer = PolicyTrial;
export type RemovedRule = ListedRule;
export type ConfigurationAnswer = Field<"settings", readonly Setting[]> & Field<"remarks", readonly string[]>;
export type PsAnswer = Field<"running", readonly RunningAgent[]>;

/** `admin` includes all other scopes; every scope includes `read`. */
export const scopes = ["read", "prompt", "approve", "admin"] as const;
export type Scope = (typeof scopes)[number];

export const tokenSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    scopes: z.array(z.enum(scopes)),
    createdAt: z.string(),
    expiresAt: z.string().optional(),
  })
  .openapi("Token");
export const tokensAnswer = z.object({ tokens: z.array(tokenSchema) });
export const newTokenBody = z.strictObject({
  name: word.max(100),
  scopes: z.array(z.enum(scopes)).min(1),
  days: z.number().positive().max(3_650).optional().describe("Days until the token expires; default 30"),
});
export const newTokenAnswer = tokenSchema.extend({ token: z.string().describe("Shown only once") });
export const tokenParams = z.object({ id: word });
export const loginBody = z.strictObject({ token: word });
export const meAnswer = tokenSchema.extend({
  version: z.string(),
  cwd: z.string().describe("The folder that the server was started in"),
  roots: z.array(z.string()).describe("Folders in which this token may work; empty: anywhere"),
  platform: z.object({ os: z.string(), shell: z.string() }).describe("The platform of the server"),
});

export const uploadQuery = z.object({ name: word.max(200).optional() });
export const uploadAnswer = z
  .object({ id: z.string(), name: z.string(), mediaType: z.string(), bytes: z.number().int() })
  .openapi("Upload");
export const blobParams = z.object({ ref: word });

export type TokenInfo = Output<typeof tokenSchema>;
export type NewTokenBody = Output<typeof newTokenBody>;
export type NewToken = Output<typeof newTokenAnswer>;
export type MeAnswer = Output<typeof meAnswer>;
export type UploadAnswer = z.output<typeof uploadAnswer>;
