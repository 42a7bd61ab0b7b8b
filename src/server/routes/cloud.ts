import type { z } from "@hono/zod-openapi";
import type { Cloud } from "../../core/api.ts";
import { namesAgent } from "../../core/config/config.ts";
import type { Gate } from "../access/gate.ts";
import type { ServerContext } from "../context.ts";
import { bytesOf, endpoint, gateRequestOf, type App } from "../endpoint.ts";
import { HttpError } from "../http-error.ts";
import * as schemas from "../schemas/cloud.ts";
import { inFolder, nothing } from "../schemas/common.ts";
import type { Scope } from "../schemas/settings.ts";
import { folderFor } from "../sessions/access.ts";

export function cloudRoutes(app: App, { reins }: ServerContext): void {
  const cloudOf = async (agent: string): Promise<Cloud> => {
    const cloud = namesAgent(agent) ? (await reins.manage(agent)).cloud : undefined;
    if (cloud !== undefined) return cloud;
    throw new HttpError(422, "unsupported", `The agent ${agent} is not a cloud agent.`);
  };
  endpoint(app, {
    route: "GET /api/cloud",
    summary: "Lists the ids of the cloud agents.",
    scope: "read",
    answer: schemas.cloudsAnswer,
    run: async () => ({ agents: await reins.clouds() }),
  });
  endpoint(app, {
    route: "GET /api/cloud-target",
    summary:
      "Returns the repository and branch for cloud agents of a folder: the remembered choice, and what git suggests.",
    scope: "read",
    query: inFolder,
    answer: schemas.cloudTargetAnswer,
    run: ({ query, principal }) => reins.cloudTarget({ cwd: folderFor(principal, query.cwd) }),
  });
  endpoint(app, {
    route: "POST /api/cloud-target",
    summary: "Remembers the repository and branch for cloud agents of a folder.",
    scope: "prompt",
    body: schemas.cloudTargetBody,
    answer: nothing,
    run: ({ body: { target, cwd }, principal }) =>
      reins.saveCloudTarget(target ?? undefined, { cwd: folderFor(principal, cwd) }),
  });
  endpoint(app, {
    route: "GET /api/cloud/{agent}",
    summary: "Lists the remote agents, newest first.",
    scope: "read",
    params: schemas.cloudParams,
    query: schemas.cloudQuery,
    answer: schemas.cloudPage,
    run: async ({ params, query }) => (await cloudOf(params.agent)).list(query),
  });
  endpoint(app, {
    route: "GET /api/cloud/{agent}/id",
    summary: "Returns the remote id of the agent that a state belongs to.",
    scope: "read",
    params: schemas.cloudParams,
    query: schemas.stateQuery,
    answer: schemas.cloudIdAnswer,
    run: async ({ params, query }) => ({ id: await (await cloudOf(params.agent)).idOf(query.state) }),
  });
  add(["GET", "read", "/account"], "Returns the account of the key.", schemas.accountAnswer, (cloud) => cloud.me());
  const allowed = "Lists the repositories that the service may work on.";
  add(["GET", "read", "/repositories"], allowed, schemas.repositoriesAnswer, async (cloud) => ({
    repositories: await cloud.repositories(),
  }));
  endpoint(app, {
    route: "GET /api/cloud/{agent}/agents/{id}/artifact-url",
    summary: "Returns a short-lived URL of an artifact.",
    scope: "read",
    params: schemas.cloudAgentParams,
    query: schemas.artifactQuery,
    answer: schemas.artifactUrlAnswer,
    run: async ({ params, query }) => (await cloudOf(params.agent)).artifactUrl(params.id, query.path),
  });

  /** Adds an action of an agent's cloud or, with `{id}` in the path, of one remote agent. */
  function add(
    [method, scope, path]: readonly ["GET" | "POST" | "DELETE", Scope, string],
    summary: string,
    answer: z.ZodType,
    run: (cloud: Cloud, id: string) => Promise<unknown>,
  ): void {
    endpoint(app, {
      route: `${method} /api/cloud/{agent}${path}`,
      summary,
      scope,
      params: (path.includes("{id}")
        ? schemas.cloudAgentParams
        : schemas.cloudParams) as typeof schemas.cloudAgentParams,
      answer,
      run: async ({ params }) => run(await cloudOf(params.agent), params.id),
    });
  }

  const one = "/agents/{id}";
  add(["GET", "read", one], "Returns one remote agent.", schemas.cloudAgentSchema, (cloud, id) => cloud.get(id));
  add(
    ["GET", "read", `${one}/artifacts`],
    "Lists the artifacts of a remote agent.",
    schemas.artifactsAnswer,
    async (cloud, id) => ({
      artifacts: await cloud.artifacts(id),
    }),
  );
  add(
    ["GET", "read", `${one}/usage`],
    "Returns the usage of its runs.",
    schemas.cloudUsageAnswer,
    async (cloud, id) => ({
      runs: await cloud.usage(id),
    }),
  );
  const soFar = "Returns the conversation so far, as events.";
  add(["GET", "read", `${one}/conversation`], soFar, schemas.conversationEvents, async (cloud, id) => ({
    events: await cloud.conversation(id),
  }));
  add(["POST", "prompt", `${one}/stop`], "Stops the current run.", schemas.stoppedAnswer, async (cloud, id) => ({
    stopped: await cloud.stop(id),
  }));
  for (const action of ["archive", "unarchive"] as const)
    add(
      ["POST", "prompt", `${one}/${action}`],
      `${action === "archive" ? "Archives" : "Unarchives"} a remote agent.`,
      nothing,
      (cloud, id) => cloud[action](id),
    );
  add(["DELETE", "admin", one], "Deletes a remote agent permanently.", nothing, (cloud, id) => cloud.remove(id));
}

const hookBytes = 1024 * 1024;

/** Webhooks of remote agents. The service signs the request, and the agent checks the signature. */
export function hookRoutes(app: App, { reins, log }: ServerContext, gate: Gate): void {
  endpoint(app, {
    route: "POST /hooks/{agent}",
    summary: "Receives the signed webhooks of a cloud agent's service.",
    params: schemas.cloudParams,
    takes: "application/json",
    answer: schemas.hookAnswer,
    run: async ({ params: { agent }, context }) => {
      const managed = namesAgent(agent) ? await reins.manage(agent).catch(() => undefined) : undefined;
      const receive = managed?.receiveWebhook;
      if (receive === undefined) throw new HttpError(404, "invalid_input", "This agent has no webhooks.");
      const body = await bytesOf(context, hookBytes);
      const { status, message, event } = await receive({ headers: context.req.header(), body });
      if (event !== undefined) log.info({ agent, id: event.id, status: event.status }, "called back");
      if (status === 200) return { message };
      if (status === 401) gate.failed(gateRequestOf(context));
      const code = status === 401 ? "not_authenticated" : "invalid_input";
      // 503 means that no secret is set, which is no defect of this server.
      throw new HttpError(status === 503 ? 424 : status, code, message ?? "The webhook was refused.");
    },
  });
}
