import type { ImportResult, KeptSessions } from "../core/api.ts";
import { isReinsError, ReinsError } from "../events/errors.ts";
import type { ReinsEvent } from "../events/types.ts";
import type { SessionAnswer, SessionList, SessionSummary } from "../server/schemas/sessions.ts";
import type { EventsAnswer } from "../server/schemas/turns.ts";
import { absolute } from "./body.ts";
import type { ClientContext } from "./session.ts";

type Stored = Awaited<ReturnType<KeptSessions["get"]>>;

const page = 500;

export function keptSessions({ http, cwd }: Pick<ClientContext, "http" | "cwd">): KeptSessions {
  const at = (name: string): string => `/api/sessions/${pathPart(name)}`;
  const get = (name: string): Promise<SessionAnswer> => http.get(at(name), name === "last" ? { cwd } : {});
  /** `last` refers to the caller's folder, so ask the server for the id first. */
  const placeOf = async (name: string): Promise<string> => at(name === "last" ? (await get(name)).id : name);

  async function* events(name: string, { after = 0 }: { readonly after?: number } = {}): AsyncGenerator<ReinsEvent> {
    const { id } = await get(name);
    for (let last = after; ;) {
      const found = await http.get<EventsAnswer>(`${at(id)}/events`, { after: last }).catch(noneAfterEnd);
      yield* found.events;
      last = found.events.at(-1)?.seq ?? last;
      if (found.events.length === 0 || last >= found.lastSeq) return;
    }
  }

  async function* bring(
    agent?: string,
    options: { readonly cwd?: string | undefined } = {},
  ): AsyncGenerator<ImportResult> {
    const folder = options.cwd && absolute(options.cwd, cwd);
    const answer = await http.post<{ readonly brought: readonly ImportResult[] }>("/api/import", {
      agent,
      cwd: folder,
    });
    yield* answer.brought;
  }

  return {
    async list({ cwd: folder, agent, limit = Number.POSITIVE_INFINITY } = {}) {
      const found: Stored[] = [];
      for (let cursor: string | undefined; found.length < limit;) {
        const query = { cwd: folder, agent, limit: Math.min(page, limit - found.length), cursor };
        const next: SessionList = await http.get<SessionList>("/api/sessions", query);
        found.push(...(next.sessions.map(stored) as Stored[]));
        cursor = next.cursor;
        if (cursor === undefined) break;
      }
      return found;
    },
    get: async (name) => stored(await get(name)),
    events,
    rename: async (name, title) => stored(await http.patch<SessionSummary>(await placeOf(name), { title })),
    remove: async (name) => stored(await http.delete<SessionSummary>(await placeOf(name))),
    fork: async (name) => stored(await http.post<SessionSummary>(`${await placeOf(name)}/fork`)),
    search: (q, { cwd: folder, agent, limit } = {}) =>
      http.field("hits", "/api/search", { q, cwd: folder, agent, limit }),
    content: (ref) => http.bytes(`/api/blobs/${pathPart(ref)}`),
    collect: (options = {}) => http.post("/api/collect", options),
    import: bring,
  };
}

function stored<Summary extends SessionSummary>(summary: Summary): Omit<Summary, "open" | "running" | "waiting"> {
  const { open: _open, running: _running, waiting: _waiting, ...session } = summary;
  return session;
}

/** Rejects names such as `..`, which would lead to another path. */
export function pathPart(name: string): string {
  if (name === "" || name === "." || name === "..")
    throw new ReinsError("session_not_found", `There is no session ${name}.`, {
      help: "`reins sessions` lists the stored sessions.",
    });
  return encodeURIComponent(name);
}

/** The server rejects an `after` beyond the last event. */
function noneAfterEnd(thrown: unknown): EventsAnswer {
  if (isReinsError(thrown) && thrown.code === "invalid_input") return { events: [], lastSeq: 0 };
  throw thrown;
}
