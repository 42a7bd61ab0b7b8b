/**
 * What the service answers. Fields that are not named here are kept; one of another type than documented counts as left out, and only what
 * nothing can be done without makes an answer unreadable. Loaded with the first answer: zod must not be loaded with the agent.
 */
import { z } from "zod";

const maybe = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined);
const text = maybe(z.string());
const number = maybe(z.number());
/** What is broken in a list is left out of it. */
const listOf = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .array(z.unknown())
    .optional()
    .catch(undefined)
    .transform((items = []) =>
      items.flatMap((item) => {
        const { success, data } = schema.safeParse(item);
        return success ? [data] : [];
      }),
    );

const branch = z.looseObject({ repoUrl: text, branch: text, prUrl: text });
const git = maybe(z.looseObject({ branches: listOf(branch) }));

const agent = z.looseObject({
  id: z.string(),
  name: text,
  status: text,
  url: text,
  repos: listOf(z.looseObject({ url: text, startingRef: text, prUrl: text })),
  createdAt: text,
  updatedAt: text,
  latestRunId: text,
});

const run = z.looseObject({
  id: z.string(),
  agentId: text,
  status: text,
  createdAt: text,
  updatedAt: text,
  durationMs: number,
  result: text,
  error: maybe(z.union([z.string(), z.looseObject({ code: text, message: text })])),
  git,
});

const tokens = z
  .looseObject({ inputTokens: number, outputTokens: number, cacheWriteTokens: number, cacheReadTokens: number })
  .catch({});
const cost = maybe(z.looseObject({ rawCostCents: number, chargedCents: number }));

const legacyAgent = z.looseObject({
  id: z.string(),
  name: text,
  status: text,
  source: maybe(z.looseObject({ repository: text, ref: text, prUrl: text })),
  target: maybe(z.looseObject({ url: text, branchName: text, prUrl: text })),
  summary: text,
  createdAt: text,
});

export const schemas = {
  created: z.looseObject({ agent, run }),
  agent,
  agents: z.looseObject({ items: listOf(agent), nextCursor: text }),
  startedRun: z.looseObject({ run }),
  run,
  runs: z.looseObject({ items: listOf(run), nextCursor: text }),
  id: z.looseObject({ id: text }),
  usage: z.looseObject({
    totalUsage: tokens,
    runs: listOf(z.looseObject({ id: z.string(), usage: tokens, cost })),
  }),
  artifacts: z.looseObject({ items: listOf(z.looseObject({ path: z.string(), sizeBytes: number, updatedAt: text })) }),
  download: z.looseObject({ url: z.string(), expiresAt: text }),
  me: z.looseObject({
    apiKeyName: text,
    createdAt: text,
    userEmail: text,
    userFirstName: text,
    userLastName: text,
  }),
  models: z.looseObject({
    items: listOf(z.looseObject({ id: z.string(), displayName: text, description: text, aliases: listOf(z.string()) })),
  }),
  repositories: z.looseObject({ items: listOf(z.looseObject({ url: z.string() })) }),

  legacyAgent,
  legacyAgents: z.looseObject({ agents: listOf(legacyAgent), nextCursor: text }),
  legacyConversation: z.looseObject({
    messages: listOf(z.looseObject({ id: text, type: text, text: z.string() })),
  }),
  legacyArtifacts: z.looseObject({
    artifacts: listOf(z.looseObject({ absolutePath: text, path: text, sizeBytes: number, updatedAt: text })),
  }),
  legacyModels: z.looseObject({ models: listOf(z.string()) }),
  legacyRepositories: z.looseObject({
    repositories: listOf(z.looseObject({ owner: text, name: text, repository: text })),
  }),

  webhook: z.looseObject({
    event: z.string(),
    timestamp: z.string(),
    id: z.string(),
    status: z.string(),
    source: maybe(z.looseObject({ repository: text, ref: text })),
    target: maybe(z.looseObject({ url: text, branchName: text, prUrl: text })),
    summary: text,
  }),
};

export type Schemas = typeof schemas;
export type Answer<Name extends keyof Schemas> = z.output<Schemas[Name]>;
