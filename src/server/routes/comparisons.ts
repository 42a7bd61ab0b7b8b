/** Routes of comparisons: the same prompt on several agents. */
import { mayWorkIn, requireAllowed, requireInside, widestFor, type Principal } from "../access/principal.ts";
import type { ComparisonRecord } from "../../core/comparisons/record.ts";
import { isReinsError } from "../../events/errors.ts";
import type { ServerContext } from "../context.ts";
import { endpoint, type App } from "../endpoint.ts";
import { HttpError } from "../http-error.ts";
import { promptOf, uploadsIn } from "../uploads.ts";
import * as schemas from "../schemas/comparisons.ts";
import { idempotency } from "../schemas/turns.ts";

export function comparisonRoutes(app: App, { comparisons, once, uploads }: ServerContext): void {
  endpoint(app, {
    route: "POST /api/comparisons",
    summary: "Gives one prompt to several agents, each in its own git worktree.",
    scope: "prompt",
    headers: idempotency,
    body: schemas.comparisonBody,
    answer: schemas.comparisonSchema,
    status: 201,
    run: ({ body, principal, context }) => {
      const { cwd, mode, entries } = body;
      for (const entry of entries) requireAllowed(principal, { ...entry, cwd, mode });
      const prompt = promptOf(uploads, principal, body.prompt);
      const allow = ({ top, common }: { top: string; common: string }): void => {
        requireInside(principal, top, "repository");
        requireInside(principal, common, "repository");
      };
      const place = `${principal.token.id} comparisons`;
      return once.once(context.req.header("idempotency-key"), place, body, async () => {
        const made = await comparisons.create({ cwd, mode, ...widestFor(principal), entries, prompt, allow });
        uploads.used(uploadsIn(body.prompt), made.id);
        return made;
      });
    },
  });

  endpoint(app, {
    route: "GET /api/comparisons",
    summary: "Lists the comparisons, newest first.",
    scope: "read",
    answer: schemas.comparisonList,
    run: async ({ principal }): Promise<schemas.ComparisonList> => {
      const seen = comparisons.all.filter(({ cwd }) => mayWorkIn(principal, cwd));
      return { comparisons: await Promise.all(seen.map((record) => comparisons.show(record))) };
    },
  });

  /** Returns the comparison if this token may see it. */
  function comparisonFor(principal: Principal, id: string): ComparisonRecord {
    const record = comparisons.all.find((one) => one.id === id);
    if (record !== undefined && mayWorkIn(principal, record.cwd)) return record;
    throw new HttpError(404, "invalid_input", `There is no comparison ${id}.`);
  }

  endpoint(app, {
    route: "GET /api/comparisons/{id}",
    summary: "Returns one comparison, with the changes of each agent so far.",
    scope: "read",
    params: schemas.comparisonId,
    answer: schemas.comparisonDetails,
    run: ({ params, principal }) => comparisons.details(comparisonFor(principal, params.id)),
  });

  endpoint(app, {
    route: "POST /api/comparisons/{id}/keep/{entry}",
    summary: "Commits the changes of an agent on its branch, or applies them to the folder.",
    scope: "approve",
    params: schemas.entryParams,
    body: schemas.keepBody,
    answer: schemas.keepAnswer,
    run: async ({ params, body, principal }): Promise<schemas.KeepAnswer> => {
      const record = comparisonFor(principal, params.id);
      if (!record.entries.some(({ number }) => number === params.entry))
        throw new HttpError(404, "invalid_input", `Comparison ${record.id} has no entry ${params.entry}.`);
      return comparisons.keep(record, params.entry, body.how).catch(conflict);
    },
  });

  endpoint(app, {
    route: "DELETE /api/comparisons/{id}",
    summary:
      "Stops its agents, and removes its worktrees and the branches that were not kept. The sessions stay readable.",
    scope: "admin",
    params: schemas.comparisonId,
    answer: schemas.removedAnswer,
    run: async ({ params, principal }): Promise<schemas.RemovedComparison> => {
      const branches = await comparisons.remove(comparisonFor(principal, params.id));
      uploads.closed(params.id);
      return { branches };
    },
  });
}

/** The request is valid, but the state of the folder or the worktree prevents it. */
function conflict(thrown: unknown): never {
  if (!isReinsError(thrown) || thrown.code !== "invalid_input") throw thrown;
  throw new HttpError(409, thrown.code, thrown.message, { help: thrown.help });
}
