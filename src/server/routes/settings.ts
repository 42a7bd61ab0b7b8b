import { realpath } from "node:fs/promises";
import { agentEntries } from "../../agents/index.ts";
import type { Brought, TriedCall } from "../../core/api.ts";
import { loadConfiguration } from "../../core/configuration.ts";
import { settingsOf } from "../../core/configuration-origins.ts";
import { withVariables } from "../../core/configured-agents.ts";
import { createRedactor } from "../../events/redact.ts";
import { requireAllowed } from "../access/options-allowed.ts";
import type { Principal } from "../access/principal.ts";
import { mayWorkIn, requireInside } from "../access/roots.ts";
import type { ServerContext } from "../context.ts";
import { endpoint } from "../endpoint.ts";
import type { App } from "../endpoint.ts";
import { HttpError } from "../http-error.ts";
import { inFolder } from "../schemas/common.ts";
import { searchAnswer, searchQuery } from "../schemas/sessions.ts";
import * as schemas from "../schemas/settings.ts";

/** What is known and set: search, usage, policy, configuration, what runs and what is kept. */
export function settingsRoutes(app: App, { reins, env, uploads, open }: ServerContext): void {
  const folderOf = (principal: Principal, cwd = process.cwd()): string => {
    requireInside(principal, cwd, "folder");
    return cwd;
  };

  endpoint(
    app,
    {
      method: "get",
      path: "/api/search",
      summary: "What was said, done and changed, newest first.",
      scope: "read",
      query: searchQuery,
      answer: searchAnswer,
    },
    async ({ query: { q, ...options }, principal }) => {
      const hits = await reins.sessions.search(q, options);
      return { hits: hits.filter(({ session }) => mayWorkIn(principal, session.cwd)) };
    },
  );
  endpoint(
    app,
    {
      method: "get",
      path: "/api/usage",
      summary: "What was used, and what is known of each agent's plan.",
      scope: "read",
      query: schemas.usageQuery,
      answer: schemas.usageAnswer,
    },
    ({ query }) => reins.usage(query.since),
  );
  endpoint(
    app,
    {
      method: "get",
      path: "/api/policy",
      summary: "The rules that count in a folder.",
      scope: "read",
      query: inFolder,
      answer: schemas.policyAnswer,
    },
    async ({ query, principal }) => {
      const { cwd, rules, remarks } = await reins.policy({ cwd: folderOf(principal, query.cwd) });
      return { cwd, rules, remarks };
    },
  );
  endpoint(
    app,
    {
      method: "post",
      path: "/api/policy/test",
      summary: "What would be decided about a call, and why.",
      scope: "read",
      body: schemas.policyTestBody,
      answer: schemas.policyTrial,
    },
    async ({ body: { cwd, ...call }, principal }) =>
      (await reins.policy({ cwd: folderOf(principal, cwd) })).test(call as TriedCall),
  );
  endpoint(
    app,
    {
      method: "delete",
      path: "/api/policy/{number}",
      summary: "An answer of the person's counts no longer.",
      scope: "admin",
      params: schemas.ruleParams,
      query: inFolder,
      answer: schemas.removedRule,
    },
    async ({ params, query, principal }) =>
      (await reins.policy({ cwd: folderOf(principal, query.cwd) })).remove(params.number),
  );
  endpoint(
    app,
    {
      method: "get",
      path: "/api/configuration",
      summary: "Each setting that counts, and where it comes from.",
      scope: "read",
      query: inFolder,
      answer: schemas.configurationAnswer,
    },
    async ({ query, principal }) => {
      const folder = folderOf(principal, query.cwd);
      const cwd = await realpath(folder).catch(() => {
        throw new HttpError(400, "invalid_input", `The folder ${folder} does not exist.`);
      });
      const loaded = await loadConfiguration(cwd, env);
      const { agents: configured = {} } = loaded;
      const agents = [...new Set([...agentEntries.map(({ id }) => id), ...Object.keys(configured)])];
      const redact = createRedactor(withVariables(env, configured));
      return { settings: redact.deep(settingsOf({ loaded, env, agents, flags: {} })), remarks: loaded.remarks };
    },
  );
  endpoint(
    app,
    {
      method: "get",
      path: "/api/ps",
      summary: "The agents that any Reins of this person runs now.",
      scope: "read",
      answer: schemas.psAnswer,
    },
    async ({ principal }) => ({
      running: (await reins.running()).filter(({ cwd }) => cwd === undefined || mayWorkIn(principal, cwd)),
    }),
  );
  endpoint(
    app,
    {
      method: "post",
      path: "/api/context",
      summary: "What would be sent to the model now. Nothing is sent.",
      scope: "prompt",
      body: schemas.contextBody,
      answer: schemas.contextAnswer,
    },
    async ({ body: { prompt, ...options }, principal }) => {
      requireAllowed(principal, options);
      const cwd = options.resume === undefined ? folderOf(principal, options.cwd) : options.cwd;
      return reins.context({
        ...options,
        cwd,
        prompt: prompt === undefined ? undefined : uploads.promptOf(principal, prompt),
      });
    },
  );
  endpoint(
    app,
    {
      method: "post",
      path: "/api/collect",
      summary: "Removes what need not be kept.",
      scope: "admin",
      body: schemas.collectBody,
      answer: schemas.collectAnswer,
    },
    async ({ body }) => {
      const collected = await reins.sessions.collect(body);
      if (body.dry !== true) for (const { id } of collected.sessions) open.removed(id);
      return collected;
    },
  );
  endpoint(
    app,
    {
      method: "post",
      path: "/api/import",
      summary: "Brings in what agents themselves keep of their conversations.",
      scope: "admin",
      body: schemas.importBody,
      answer: schemas.importAnswer,
    },
    async ({ body: { agent, cwd }, principal }) => {
      if (cwd !== undefined) requireInside(principal, cwd, "folder");
      const brought: Brought[] = [];
      for await (const one of reins.sessions.import(agent, { cwd })) brought.push(one);
      return { brought };
    },
  );
}
