import type { TriedCall } from "../../core/api.ts";
import type { ServerContext } from "../context.ts";
import { endpoint } from "../endpoint.ts";
import type { App } from "../endpoint.ts";
import { folderFor } from "../opening.ts";
import { inFolder } from "../schemas/common.ts";
import * as schemas from "../schemas/settings.ts";

/** The rules that count, and what they would decide. */
export function policyRoutes(app: App, { reins }: ServerContext): void {
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
      const { cwd, rules, remarks } = await reins.policy({ cwd: folderFor(principal, query.cwd) });
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
      (await reins.policy({ cwd: folderFor(principal, cwd) })).test(call as TriedCall),
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
      (await reins.policy({ cwd: folderFor(principal, query.cwd) })).remove(params.number),
  );
}
