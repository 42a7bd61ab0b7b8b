/** Sessions on their way into the server. */
import type { Prompt, SessionOptions, TurnOptions } from "../core/api.ts";
import { toReinsError } from "../events/errors.ts";
import type { CreatedSession, SessionAnswer } from "../server/schemas/sessions.ts";
import { optionsBody } from "./body.ts";
import type { ClientContext } from "./context.ts";
import { pathPart } from "./kept-sessions.ts";
import { ClientSession } from "./session.ts";
import type { ClientTurn } from "./turn.ts";

export async function openSession(context: ClientContext, options: SessionOptions): Promise<ClientSession> {
  const { http, cwd, newId } = context;
  const body = optionsBody(await known(context, options), cwd);
  const created = await http.post<CreatedSession>("/api/sessions", body, { key: newId() });
  return new ClientSession(context, created, options);
}

/** One prompt in a session of its own, which is closed after it. */
export async function runOnce(
  open: (options: SessionOptions) => Promise<ClientSession>,
  turn: ClientTurn,
  prompt: Prompt,
  options: SessionOptions & TurnOptions,
): Promise<void> {
  let session: ClientSession | undefined;
  try {
    turn.cancelOn(options.signal);
    if (turn.cancelledEarly) return;
    session = await open(options);
    if (turn.cancelledEarly) return;
    await session.submit(turn, prompt, options);
    await turn.result;
  } catch (thrown) {
    turn.refuse(toReinsError(thrown));
  } finally {
    await session?.close().catch(() => undefined);
  }
}

/** A state may be that of a session which is kept, and that is about its own folder; else it goes on in the caller's. */
async function known({ http, cwd }: ClientContext, options: SessionOptions): Promise<SessionOptions> {
  const { resume } = options;
  if (resume === undefined || options.cwd !== undefined || /^(ses_|last$)/.test(resume)) return options;
  const kept = await http.get<SessionAnswer>(`/api/sessions/${pathPart(resume)}`).catch(() => undefined);
  return kept === undefined ? { ...options, cwd } : { ...options, resume: kept.id };
}
