/** Implements `reins.sessions`. */
import { realpath } from "node:fs/promises";
import { ReinsError } from "../../events/errors.ts";
import { oneLine } from "../../events/printable.ts";
import type { ReinsEvent } from "../../events/types.ts";
import type { ImportResult, KeptSessions, SessionDetails, Usage } from "../api.ts";
import { importSessions, type Importing } from "./import.ts";
import { newSessionId, type LogOpener } from "./open-log.ts";
import type { Store, StoredSession } from "./types.ts";
import { keptSession, missing } from "../select/resume.ts";

const page = 1_000;

export interface KeptContext {
  readonly keeping: LogOpener;
  readonly refuse: (thrown: unknown) => never;
  readonly redact: (text: string) => string;
  /** Returns how to read the history of this agent, or of every agent that has one. */
  readonly importing: (agent: string | undefined) => Promise<readonly Omit<Importing, "store" | "cwd">[]>;
}

export function keptSessions({ keeping, refuse, redact, importing }: KeptContext): KeptSessions {
  const using = async <Value>(work: (store: Store) => Value | Promise<Value>): Promise<Value> => {
    try {
      return await work(await keeping.store());
    } catch (thrown) {
      return refuse(thrown);
    }
  };
  const found = <Value>(
    name: string,
    work: (store: Store, session: StoredSession) => Value | Promise<Value>,
  ): Promise<Value> =>
    using(async (store) => work(store, (await keptSession(store, { resume: name })) ?? missing(name)));

  async function* events(name: string, { after = 0 }: { readonly after?: number } = {}): AsyncGenerator<ReinsEvent> {
    const id = await found(name, (_store, session) => session.id);
    for (let last = after; ;) {
      const events = await using((store) => store.sessions.read(id, { after: last, limit: page }));
      yield* events;
      if (events.length < page) return;
      last = events.at(-1)!.seq;
    }
  }

  async function* bring(
    agent?: string,
    options: { readonly cwd?: string | undefined } = {},
  ): AsyncGenerator<ImportResult> {
    try {
      const store = await keeping.store();
      // Agents name folders by their real path.
      const cwd = options.cwd && (await realpath(options.cwd).catch(() => options.cwd));
      for (const one of await importing(agent)) yield* importSessions({ ...one, store, cwd });
    } catch (thrown) {
      refuse(thrown);
    }
  }

  return {
    list: (filter) => using((store) => store.sessions.list(filter)),
    get: (name) => found(name, (store, session) => details(keeping, store, session)),
    events,
    rename: (name, title) =>
      found(name, (store, { id }) => {
        const line = oneLine(redact(title)).trim();
        if (line === "") throw new ReinsError("invalid_input", "The title is empty.");
        store.sessions.rename(id, line);
        return store.sessions.get(id)!;
      }),
    remove: (name) =>
      found(name, async (store, session) => {
        await keeping.refuseBusy(session.id);
        store.sessions.remove(session.id);
        return session;
      }),
    fork: (name) => found(name, (store, { id }) => store.sessions.fork(id, newSessionId())),
    search: (words, options) => using((store) => store.search(words, options)),
    content: (ref) =>
      using((store) => {
        const content = store.blobs.get(ref);
        if (content !== undefined) return content;
        throw new ReinsError("invalid_input", `The content ${ref} is not stored, or no longer.`);
      }),
    collect: (options) => using((store) => store.collect(options)),
    import: bring,
  };
}

export async function usageOf(keeping: LogOpener, since: string | undefined): Promise<Usage> {
  const store = await keeping.store();
  return { rows: store.usage.rows(since), limits: store.usage.limits(), down: store.breakers.list() };
}

async function details(keeping: LogOpener, store: Store, session: StoredSession): Promise<SessionDetails> {
  const pid = await keeping.ownerPid(session.id);
  return { ...session, legs: store.sessions.legs(session.id), allTurns: store.sessions.turns(session.id), pid };
}
