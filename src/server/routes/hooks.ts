import type { ServerContext } from "../context.ts";
import { bytesOf } from "../endpoint.ts";
import type { App } from "../endpoint.ts";
import { answerOf, HttpError } from "../http-error.ts";

const hookBytes = 1024 * 1024;

/** What the services of agents that work elsewhere call. They sign what they send; the agent checks it. */
export function hookRoutes(app: App, { reins, log }: ServerContext): void {
  app.post("/hooks/:agent", async (context) => {
    const agent = context.req.param("agent");
    const { webhook } = await reins.manage(agent).catch(() => ({ webhook: undefined }));
    if (webhook === undefined) throw new HttpError(404, "invalid_input", "Nobody is called back here.");
    const body = await bytesOf(context, hookBytes);
    const { status, message, event } = await webhook.receive({ headers: context.req.header(), body });
    if (event !== undefined) log.info({ agent, id: event.agentId, status: event.status }, "called back");
    if (status === 200) return context.json({ message });
    const code = status === 401 ? "not_authenticated" : "invalid_input";
    return context.json(answerOf(new HttpError(status, code, message ?? "This call was refused.")), status);
  });
}
