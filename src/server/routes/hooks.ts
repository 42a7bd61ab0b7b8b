import type { Gate } from "../access/gate.ts";
import { namesAgent } from "../../core/configuration.ts";
import type { ServerContext } from "../context.ts";
import { bytesOf, endpoint } from "../endpoint.ts";
import type { App } from "../endpoint.ts";
import { HttpError } from "../http-error.ts";
import { knockOf } from "../knock.ts";
import { cloudParams, hookAnswer } from "../schemas/cloud.ts";

const hookBytes = 1024 * 1024;

/** What the services of agents that work elsewhere call. They sign what they send; the agent checks it. */
export function hookRoutes(app: App, { reins, log }: ServerContext, gate: Gate): void {
  endpoint(
    app,
    {
      method: "post",
      path: "/hooks/{agent}",
      summary: "What the service of an agent that works elsewhere calls; it signs what it sends.",
      params: cloudParams,
      takes: "application/json",
      answer: hookAnswer,
    },
    async ({ params: { agent }, context }) => {
      const managed = namesAgent(agent) ? await reins.manage(agent).catch(() => undefined) : undefined;
      const webhook = managed?.webhook;
      if (webhook === undefined) throw new HttpError(404, "invalid_input", "Nobody is called back here.");
      const body = await bytesOf(context, hookBytes);
      const { status, message, event } = await webhook.receive({ headers: context.req.header(), body });
      if (event !== undefined) log.info({ agent, id: event.agentId, status: event.status }, "called back");
      if (status === 200) return { message };
      if (status === 401) gate.failed(knockOf(context));
      const code = status === 401 ? "not_authenticated" : "invalid_input";
      // Nobody set a secret: that is no defect, and a service tries again all the same.
      throw new HttpError(status === 503 ? 424 : status, code, message ?? "This call was refused.");
    },
  );
}
