/**
 * Schemas of the service's answers, as far as Reins reads them. A field of another type than documented counts as
 * missing; only a missing id makes an answer unreadable. Loaded with the first answer, because zod must not be loaded
 * with the agent.
 */
import { z } from "zod";

const maybe = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined);
const text = maybe(z.string());
const number = maybe(z.number());
/** Leaves out invalid items. */
const listOf = <Schema extends z.ZodType>(schema: Schema) =>
  maybe(z.array(z.unknown())).transform((items = []) =>
    items.flatMap((item) => {
      const { success, data } = schema.safeParse(item);
      return success ? [data] : [];
    }),
  );

const agent = z.looseObject({
  id: z.string(),
  name: text,
  status: text,
  url: text,
  repos: listOf(z.looseObject({ url: text })),
  createdAt: text,
  updatedAt: text,
  latestRunId: text,
});

const branch = z.looseObject({ repoUrl: text, branch: text, prUrl: text });
const run = z.looseObject({
  id: z.string(),
  status: text,
  createdAt: text,
  result: text,
  error: maybe(z.union([z.string(), z.looseObject({ code: text, message: text })])),
  git: maybe(z.looseObject({ branches: listOf(branch) })),
});

const tokens = z
  .looseObject({ inputTokens: number, outputTokens: number, cacheWriteTokens: number, cacheReadTokens: number })
  .catch({});
const cost = maybe(z.looseObject({ chargedCents: number }));

const source = maybe(z.looseObject({ repository: text }));
const target = maybe(z.looseObject({ url: text, branchName: text, prUrl: text }));
const legacyAgent = z.looseObject({
  id: z.string(),
  name: text,
  status: text,
  source,
  target,
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
  usage: z.looseObject({ runs: listOf(z.looseObject({ id: z.string(), usage: tokens, cost })) }),
  artifacts: z.looseObject({ items: listOf(z.looseObject({ path: z.string(), sizeBytes: number, updatedAt: text })) }),
  download: z.looseObject({ url: z.string(), expiresAt: text }),
  me: z.looseObject({ apiKeyName: text, userEmail: text, userFirstName: text, userLastName: text }),
  models: z.looseObject({
    items: listOf(z.looseObject({ id: z.string(), displayName: text, description: text, aliases: listOf(z.string()) })),
  }),
  repositories: z.looseObject({ items: listOf(z.looseObject({ url: z.string() })) }),

  legacyAgent,
  legacyAgents: z.looseObject({ agents: listOf(legacyAgent), nextCursor: text }),
  legacyConversation: z.looseObject({ messages: listOf(z.looseObject({ type: text, text: z.string() })) }),
  legacyArtifacts: z.looseObject({
    artifacts: listOf(z.looseObject({ absolutePath: text, path: text, sizeBytes: number, updatedAt: text })),
  }),
  legacyModels: z.looseObject({ models: listOf(z.string()) }),
  legacyRepositories: z.looseObject({ repositories: listOf(z.looseObject({ repository: text })) }),

  webhook: z.looseObject({
    event: z.string(),
    timestamp: z.string(),
    id: z.string(),
    status: z.string(),
    source,
    target,
    summary: text,
  }),
};

export type Schemas = typeof schemas;
export type Answer<Name extends keyof Schemas> = z.output<Schemas[Name]>;
