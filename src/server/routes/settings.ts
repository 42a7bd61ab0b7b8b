import type { TriedCall } from "../../core/api.ts";
import { requireScope } from "../access/principal.ts";
import type { ServerContext } from "../context.ts";
import { endpoint, type App } from "../endpoint.ts";
import { promptOf } from "../uploads.ts";
import { inFolder } from "../schemas/common.ts";
import * as schemas from "../schemas/settings.ts";
import { allowedOptions, folderFor } from "../sessions/access.ts";
import { settingsIn } from "../settings.ts";

/** Effective settings and rules, and the context that would be sent to the model. */
export function settingsRoutes(app: App, server: ServerContext): void {
  const { reins, uploads, env } = server;
  endpoint(app, {
    route: "GET /api/configuration",
    summary: "Lists the effective settings and their sources.",
    scope: "read",
    query: inFolder,
    answer: schemas.configurationAnswer,
    run: ({ query, principal }) => settingsIn(folderFor(principal, query.cwd), env),
  });

  endpoint(app, {
    route: "GET /api/policy",
    summary: "Lists the rules that apply in a folder.",
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
    summary: "Returns the decision that the policy would make about a call, and why.",
    scope: "read",
    body: schemas.policyTestBody,
    answer: schemas.policyTrial,
    run: async ({ body: { cwd, ...call }, principal }) =>
      (await reins.policy({ cwd: folderFor(principal, cwd) })).test(call as TriedCall),
  });
  endpoint(app, {
    route: "DELETE /api/policy/{number}",
    summary: "Removes a remembered answer from the policy.",
    scope: "admin",
    params: schemas.ruleParams,
    query: inFolder,
    answer: schemas.removedRule,
    run: async ({ params, query, principal }) =>
      (await reins.policy({ cwd: folderFor(principal, query.cwd) })).remove(params.number),
  });

  endpoint(app, {
    route: "GET /api/repository",
    summary: "Returns the repository of a folder: its branch, its pull request, and the next step.",
    scope: "read",
    query: inFolder,
    answer: schemas.repositoryAnswer,
    run: async ({ query, principal }) => ({
      repository: (await reins.repository({ cwd: folderFor(principal, query.cwd) })) ?? null,
    }),
  });

  endpoint(app, {
    route: "POST /api/repository/action",
    summary: "Returns the next step of a repository: its commands, which run with `confirm`, or a prompt for an agent.",
    scope: "prompt",
    body: schemas.repositoryActionBody,
    answer: schemas.repositoryActionAnswer,
    run: ({ body, principal }) => {
      if (body.confirm === true) requireScope(principal, "approve", "Running commands");
      return reins.repositoryAction({ ...body, cwd: folderFor(principal, body.cwd) });
    },
  });

  endpoint(app, {
    route: "POST /api/context",
    summary: "Returns the context that would be sent to the model. Sends nothing.",
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
