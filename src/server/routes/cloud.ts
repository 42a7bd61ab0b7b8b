import type { Cloud } from "../../core/api.ts";
import { namesAgent } from "../../core/config/config.ts";
import type { Gate } from "../access/gate.ts";
import type { ServerContext } from "../context.ts";
import { bytesOf, endpoint, gateRequestOf } from "../endpoint.ts";
import type { App } from "../endpoint.ts";
import { HttpError } from "../http-error.ts";
import * as schemas from "../schemas/cloud.ts";
import { cloudParams, hookAnswer } from "../schemas/cloud.ts";
import { nothing } from "../schemas/common.ts";

/** What runs elsewhere. */
export function cloudRoutes(app: App, { reins }: ServerContext): void {
  const cloudOf = async (agent: string): Promise<Cloud> => {
    if (!namesAgent(agent)) throw elsewhere(agent);
    const { cloud } = await reins.manage(agent);
    if (cloud !== undefined) return cloud;
    throw elsewhere(agent);
  };
  const read = { scope: "read" } as const;
  const one = { params: schemas.cloudAgentParams } as const;
  const place = "/api/cloud/{agent}/agents/{id}";

  endpoint(app, {
    ...read,
    route: "GET /api/cloud",
    summary: "The agents that work elsewhere, by id.",
    answer: schemas.cloudsAnswer,
    run: async () => ({
      agents: await reins.clouds(),
    }),
  });
  endpoint(app, {
    ...read,
    route: "GET /api/cloud/{agent}",
    summary: "What runs there, newest first.",
    params: schemas.cloudParams,
    query: schemas.cloudQuery,
    answer: schemas.cloudPage,
    run: async ({ params, query }) => (await cloudOf(params.agent)).list(query),
  });
  endpoint(app, {
    ...read,
    route: "GET /api/cloud/{agent}/id",
    summary: "What the agent that a state is about is called there.",
    params: schemas.cloudParams,
    query: schemas.stateQuery,
    answer: schemas.cloudIdAnswer,
    run: async ({ params, query }) => ({ id: await (await cloudOf(params.agent)).idOf(query.state) }),
  });
  endpoint(app, {
    ...read,
    route: "GET /api/cloud/{agent}/account",
    summary: "Whose key it is.",
    params: schemas.cloudParams,
    answer: schemas.accountAnswer,
    run: async ({ params }) => (await cloudOf(params.agent)).me(),
  });
  endpoint(app, {
    ...read,
    route: "GET /api/cloud/{agent}/repositories",
    summary: "Those that the service may work on.",
    params: schemas.cloudParams,
    answer: schemas.repositoriesAnswer,
    run: async ({ params }) => ({ repositories: await (await cloudOf(params.agent)).repositories() }),
  });
  endpoint(app, {
    ...read,
    ...one,
    route: `GET ${place}`,
    summary: "One that runs there.",
    answer: schemas.cloudAgentSchema,
    run: async ({ params }) => (await cloudOf(params.agent)).get(params.id),
  });
  endpoint(app, {
    ...read,
    ...one,
    route: `GET ${place}/artifacts`,
    summary: "What it made.",
    answer: schemas.artifactsAnswer,
    run: async ({ params }) => ({ artifacts: await (await cloudOf(params.agent)).artifacts(params.id) }),
  });
  endpoint(app, {
    ...read,
    ...one,
    route: `GET ${place}/artifact-url`,
    summary: "An address to fetch it from, for a short while.",
    query: schemas.artifactQuery,
    answer: schemas.artifactUrlAnswer,
    run: async ({ params, query }) => (await cloudOf(params.agent)).artifactUrl(params.id, query.path),
  });
  endpoint(app, {
    ...read,
    ...one,
    route: `GET ${place}/usage`,
    summary: "What its runs used.",
    answer: schemas.cloudUsageAnswer,
    run: async ({ params }) => ({ runs: await (await cloudOf(params.agent)).usage(params.id) }),
  });
  endpoint(app, {
    ...read,
    ...one,
    route: `GET ${place}/conversation`,
    summary: "What was said and done there so far, as events.",
    answer: schemas.conversationEvents,
    run: async ({ params }) => ({ events: await (await cloudOf(params.agent)).conversation(params.id) }),
  });
  endpoint(app, {
    ...one,
    route: `POST ${place}/stop`,
    scope: "prompt",
    summary: "Ends the run that goes on.",
    answer: schemas.stoppedAnswer,
    run: async ({ params }) => ({ stopped: await (await cloudOf(params.agent)).stop(params.id) }),
  });
  for (const action of ["archive", "unarchive"] as const)
    endpoint(app, {
      ...one,
      route: `POST ${place}/${action}`,
      scope: "prompt",
      summary: `${action} it.`,
      answer: nothing,
      run: async ({ params }) => (await cloudOf(params.agent))[action](params.id),
    });
  endpoint(app, {
    ...one,
    route: `DELETE ${place}`,
    scope: "admin",
    summary: "Removes it for good.",
    answer: nothing,
    run: async ({ params }) => (await cloudOf(params.agent)).remove(params.id),
  });
}

function elsewhere(agent: string): HttpError {
  return new HttpError(422, "unsupported", `The agent ${agent} does not work elsewhere.`);
}

const hookBytes = 1024 * 1024;

/** What the services of agents that work elsewhere call. They sign what they send; the agent checks it. */
export function hookRoutes(app: App, { reins, log }: ServerContext, gate: Gate): void {
  endpoint(app, {
    route: "POST /hooks/{agent}",
    summary: "What the service of an agent that works elsewhere calls; it signs what it sends.",
    params: cloudParams,
    takes: "application/json",
    answer: hookAnswer,
    run: async ({ params: { agent }, context }) => {
      const managed = namesAgent(agent) ? await reins.manage(agent).catch(() => undefined) : undefined;
      const receive = managed?.receiveWebhook;
      if (receive === undefined) throw new HttpError(404, "invalid_input", "Nobody is called back here.");
      const body = await bytesOf(context, hookBytes);
      const { status, message, event } = await receive({ headers: context.req.header(), body });
      if (event !== undefined) log.info({ agent, id: event.id, status: event.status }, "called back");
      if (status === 200) return { message };
      if (status === 401) gate.failed(gateRequestOf(context));
      const code = status === 401 ? "not_authenticated" : "invalid_input";
      // Nobody set a secret: that is no defect, and a service tries again all the same.
      throw new HttpError(status === 503 ? 424 : status, code, message ?? "This call was refused.");
    },
  });
}
