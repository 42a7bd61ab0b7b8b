import { z } from "@hono/zod-openapi";
import type { CloudAgent, CloudPage } from "../../agents/shared/remote.ts";
import type { ReinsEvent } from "../../events/types.ts";
import type { CloudTargetChoice } from "../../view/cloud.ts";
import { flag, folder, number, open, word, type Field } from "./common.ts";

export const cloudsAnswer = z.object({ agents: z.array(z.string()).describe("Ids of cloud agents") });
export const cloudParams = z.object({ agent: word });
export const cloudAgentParams = cloudParams.extend({ id: word });
export const stateQuery = z.object({ state: z.string().min(1).max(4_000) });
export const cloudIdAnswer = z.object({ id: z.string().describe("The remote id of the agent") });
export const cloudQuery = z.object({
  limit: number(1, 500).optional(),
  cursor: word.optional(),
  archived: flag.optional(),
  pullRequest: word.optional(),
});
export const cloudAgentSchema = z
  .looseObject({ id: z.string(), state: z.string(), status: z.string() })
  .openapi("CloudAgent");
export const cloudPage = z.object({ agents: z.array(cloudAgentSchema), cursor: z.string().optional() });
export const stoppedAnswer = z.object({ stopped: z.boolean() });
export const artifactsAnswer = z.object({ artifacts: z.array(z.looseObject({ path: z.string() })) });
export const artifactQuery = z.object({ path: word });
export const artifactUrlAnswer = z.object({ url: z.string(), expiresAt: z.string().optional() });
export const cloudUsageAnswer = z.object({ runs: z.array(open) });
export const accountAnswer = open;
export const repositoriesAnswer = z.object({ repositories: z.array(z.string()) });
export const hookAnswer = z.object({ message: z.string().optional() });
export const conversationEvents = z.object({ events: z.array(open) });

const typed = z.string().max(1_000).optional();
const target = z
  .strictObject({
    repository: typed.describe("Its address"),
    ref: typed.describe("The branch or commit to start from"),
    branch: typed.describe("The branch to push to"),
    createPr: z.boolean().optional().describe("Open a pull request when the agent is done"),
  })
  .openapi("CloudTarget");
export const cloudTargetAnswer = z.object({
  remembered: target.optional().describe("The earlier choice for this folder"),
  suggested: target.describe("From the git repository of the folder"),
  note: z.string().optional(),
});
export const cloudTargetBody = z.strictObject({
  cwd: folder.optional(),
  target: target.nullable().describe("null removes the remembered choice"),
});

export type CloudTargetAnswer = CloudTargetChoice;
export type CloudRepositoriesAnswer = Field<"repositories", readonly string[]>;
export type CloudsAnswer = Field<"agents", readonly string[]>;
export type CloudPageAnswer = CloudPage;
export type CloudAgentAnswer = CloudAgent;
export type CloudEventsAnswer = Field<"events", readonly ReinsEvent[]>;
