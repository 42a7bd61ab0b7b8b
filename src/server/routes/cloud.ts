import type { Cloud } from "../../core/api.ts";
import { namesAgent } from "../../core/configuration.ts";
import type { ServerContext } from "../context.ts";
import { endpoint } from "../endpoint.ts";
import type { App } from "../endpoint.ts";
import { HttpError } from "../http-error.ts";
import * as schemas from "../schemas/cloud.ts";
import { nothing } from "../schemas/common.ts";

/** What runs elsewhere. */
export function cloudRoutes(app: App, { reins }: ServerContext): void {
  const cloudOf = async (agent: string): Promise<Cloud> => {
    if (!namesAgent(agent)) throw elsewhere(agent);
    const { cloud } = await reins.manage(agent);
    if (cloud !== undefined) return cloud;
    throw elsewhere(agent);
  };
  const read = { method: "get", scope: "read" } as const;
  const one = { params: schemas.cloudAgentParams } as const;
  const place = "/api/cloud/{agent}/agents/{id}";

  endpoint(
    app,
    { ...read, path: "/api/cloud", summary: "The agents that work elsewhere, by id.", answer: schemas.cloudsAnswer },
    async () => ({
      agents: await reins.clouds(),
    }),
  );
  endpoint(
    app,
    {
      ...read,
      path: "/api/cloud/{agent}",
      summary: "What runs there, newest first.",
      params: schemas.cloudParams,
      query: schemas.cloudQuery,
      answer: schemas.cloudPage,
    },
    async ({ params, query }) => (await cloudOf(params.agent)).list(query),
  );
  endpoint(
    app,
    {
      ...read,
      path: "/api/cloud/{agent}/id",
      summary: "What the agent that a state is about is called there.",
      params: schemas.cloudParams,
      query: schemas.stateQuery,
      answer: schemas.cloudIdAnswer,
    },
    async ({ params, query }) => ({ id: await (await cloudOf(params.agent)).idOf(query.state) }),
  );
  endpoint(
    app,
    {
      ...read,
      path: "/api/cloud/{agent}/account",
      summary: "Whose key it is.",
      params: schemas.cloudParams,
      answer: schemas.accountAnswer,
    },
    async ({ params }) => (await cloudOf(params.agent)).me(),
  );
  endpoint(
    app,
    {
      ...read,
      path: "/api/cloud/{agent}/repositories",
      summary: "Those that the service may work on.",
      params: schemas.cloudParams,
      answer: schemas.repositoriesAnswer,
    },
    async ({ params }) => ({ repositories: await (await cloudOf(params.agent)).repositories() }),
  );
  endpoint(
    app,
    { ...read, ...one, path: place, summary: "One that runs there.", answer: schemas.cloudAgentSchema },
    async ({ params }) => (await cloudOf(params.agent)).get(params.id),
  );
  endpoint(
    app,
    { ...read, ...one, path: `${place}/artifacts`, summary: "What it made.", answer: schemas.artifactsAnswer },
    async ({ params }) => ({ artifacts: await (await cloudOf(params.agent)).artifacts(params.id) }),
  );
  endpoint(
    app,
    {
      ...read,
      ...one,
      path: `${place}/artifact-url`,
      summary: "An address to fetch it from, for a short while.",
      query: schemas.artifactQuery,
      answer: schemas.artifactUrlAnswer,
    },
    async ({ params, query }) => (await cloudOf(params.agent)).artifactUrl(params.id, query.path),
  );
  endpoint(
    app,
    { ...read, ...one, path: `${place}/usage`, summary: "What its runs used.", answer: schemas.cloudUsageAnswer },
    async ({ params }) => ({ runs: await (await cloudOf(params.agent)).usage(params.id) }),
  );
  endpoint(
    app,
    {
      ...read,
      ...one,
      path: `${place}/conversation`,
      summary: "What was said and done there so far, as events.",
      answer: schemas.conversationEvents,
    },
    async ({ params }) => ({ events: await (await cloudOf(params.agent)).conversation(params.id) }),
  );
  endpoint(
    app,
    {
      ...one,
      method: "post",
      scope: "prompt",
      path: `${place}/stop`,
      summary: "Ends the run that goes on.",
      answer: schemas.stoppedAnswer,
    },
    async ({ params }) => ({ stopped: await (await cloudOf(params.agent)).stop(params.id) }),
  );
  for (const action of ["archive", "unarchive"] as const)
    endpoint(
      app,
      {
        ...one,
        method: "post",
        scope: "prompt",
        path: `${place}/${action}`,
        summary: `${action} it.`,
        answer: nothing,
      },
      async ({ params }) => (await cloudOf(params.agent))[action](params.id),
    );
  endpoint(
    app,
    { ...one, method: "delete", scope: "admin", path: place, summary: "Removes it for good.", answer: nothing },
    async ({ params }) => (await cloudOf(params.agent)).remove(params.id),
  );
}

function elsewhere(agent: string): HttpError {
  return new HttpError(422, "unsupported", `The agent ${agent} does not work elsewhere.`);
}
