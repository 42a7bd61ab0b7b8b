import { realpath } from "node:fs/promises";
import { agentEntries } from "../../agents/index.ts";
import type { TriedCall } from "../../core/api.ts";
import { withVariables } from "../../core/catalog/configured-agents.ts";
import { settingsOf } from "../../core/config/config-origins.ts";
import { loadConfiguration } from "../../core/config/config.ts";
import { createRedactor } from "../../events/redact.ts";
import type { ServerContext } from "../context.ts";
import { endpoint } from "../endpoint.ts";
import type { App } from "../endpoint.ts";
import { HttpError } from "../http-error.ts";
import { promptOf } from "../uploads.ts";
import { inFolder } from "../schemas/common.ts";
import * as schemas from "../schemas/settings.ts";
import { allowedOptions, folderFor } from "../sessions/access.ts";

/** Settings and rules that count, and what would be sent to the model with them. */
export function settingsRoutes(app: App, server: ServerContext): void {
  const { reins, uploads, env } = server;
  endpoint(app, {
    route: "GET /api/configuration",
    summary: "Each setting that counts, and where it comes from.",
    scope: "read",
    query: inFolder,
    answer: schemas.configurationAnswer,
    run: async ({ query, principal }) => {
      const folder = folderFor(principal, query.cwd);
      const cwd = await realpath(folder).catch(() => {
        throw new HttpError(400, "invalid_input", `The folder ${folder} does not exist.`);
      });
      const loaded = await loadConfiguration(cwd, env);
      const { agents: configured = {} } = loaded;
      const agents = [...new Set([...agentEntries.map(({ id }) => id), ...Object.keys(configured)])];
      const redact = createRedactor(withVariables(env, configured));
      return { settings: redact.deep(settingsOf({ loaded, env, agents, flags: {} })), remarks: loaded.remarks };
    },
  });

  endpoint(app, {
    route: "GET /api/policy",
    summary: "The rules that count in a folder.",
    scope: "read",
    query: inFolder,
    answer: schemas.policyAnswer,
    run: async ({ query, principal }) => {
      const { cwd, rules, remarks } = await reins.policy({ cwd: folderFor(principal, query.cwd) });
      return { cwd, rules, remarks };
    },
  });
  endpoint(app, {
    route: "POST /api/policy/test",
    summary: "What would be decided about a call, and why.",
    scope: "read",
    body: schemas.policyTestBody,
    answer: schemas.policyTrial,
    run: async ({ body: { cwd, ...call }, principal }) =>
      (await reins.policy({ cwd: folderFor(principal, cwd) })).test(call as TriedCall),
  });
  endpoint(app, {
    route: "DELETE /api/policy/{number}",
    summary: "An answer of the person's counts no longer.",
    scope: "admin",
    params: schemas.ruleParams,
    query: inFolder,
    answer: schemas.removedRule,
    run: async ({ params, query, principal }) =>
      (await reins.policy({ cwd: folderFor(principal, query.cwd) })).remove(params.number),
  });

  endpoint(app, {
    route: "POST /api/context",
    summary: "What would be sent to the model now. Nothing is sent.",
    scope: "prompt",
    body: schemas.contextBody,
    answer: schemas.contextAnswer,
    run: async ({ body: { prompt, ...body }, principal }) => {
      const { options } = await allowedOptions(server, principal, body);
      const said = prompt === undefined ? undefined : promptOf(uploads, principal, prompt);
      return reins.context({ ...options, prompt: said });
    },
  });
}
