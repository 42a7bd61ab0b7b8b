/** The sessions that are shown, and a few that were: going back to one is instant. */
import { useEffect, useMemo } from "react";
import type { SessionAnswer, SessionSummary } from "../../server/schemas/sessions.ts";
import type { Conversation, PermissionItem, QuestionItem, TurnEntry } from "../../view/model.ts";
import { ApiError, call } from "./api.ts";
import { live } from "./live.ts";
import { OpenSession } from "./open-session.ts";
import type { EventListener, SessionView } from "./open-session.ts";
import { knowSession, useSummary } from "./sessions.ts";
import { useStore } from "./store.ts";

/** How many are kept. */
const most = 6;

interface Kept {
  readonly session: OpenSession;
  users: number;
  stop: (() => void) | undefined;
}

const kept = new Map<string, Kept>();

export interface SessionState extends SessionView {
  /** As the list has it; undefined until it is known. */
  readonly info: SessionSummary | undefined;
  /** The turn that runs. */
  readonly turn: TurnEntry | undefined;
  readonly running: boolean;
  /** The permissions and questions that wait, the oldest first. */
  readonly requests: readonly (PermissionItem | QuestionItem)[];
}

export function useSession(id: string): SessionState {
  const { session } = useMemo(() => keptOf(id), [id]);
  const view = useStore(session.store);
  const info = useSummary(id);
  useEffect(() => hold(id), [id]);
  const turn = runningTurn(view.conversation);
  // A log that breaks off in the middle of a turn is of no turn that runs.
  const running = info?.running ?? turn !== undefined;
  return { ...view, info, turn: running ? turn : undefined, running, requests: view.conversation.waiting };
}

/** Each event that comes while the session is shown, not those that were there before. */
export function useEvents(id: string, listener: EventListener): void {
  useEffect(() => keptOf(id).session.onEvent(listener), [id, listener]);
}

export function runningTurn({ entries }: Conversation): TurnEntry | undefined {
  for (let at = entries.length - 1; at >= 0; at--) {
    const entry = entries[at];
    if (entry?.kind === "turn") return entry.end === undefined ? entry : undefined;
  }
  return undefined;
}

function keptOf(id: string): Kept {
  const known = kept.get(id);
  if (known !== undefined) return known;
  const made: Kept = { session: new OpenSession(id), users: 0, stop: undefined };
  kept.set(id, made);
  return made;
}

function hold(id: string): () => void {
  const entry = keptOf(id);
  // The one used last is last.
  kept.delete(id);
  kept.set(id, entry);
  entry.users++;
  entry.stop ??= follow(entry.session);
  return () => {
    entry.users--;
    forget();
  };
}

function forget(): void {
  for (const [id, { users, stop }] of kept) {
    if (kept.size <= most) return;
    if (users > 0) continue;
    stop?.();
    kept.delete(id);
  }
}

function follow(session: OpenSession): () => void {
  const { id } = session;
  const stop = live.watch(id, {
    after: () => session.lastSeq,
    onEvents: (events) => session.take(events),
    onError: (error) => {
      if (session.lastSeq > 0 && error.code === "invalid_input") {
        session.restart();
        live.again(id);
      } else session.fail(error);
    },
  });
  const ask = async (): Promise<void> => {
    try {
      const answer = await call<SessionAnswer>("GET", `/api/sessions/${encodeURIComponent(id)}`);
      const { legs: _legs, allTurns: _turns, ...summary } = answer;
      knowSession(summary);
      session.expect(summary.lastSeq);
    } catch (thrown) {
      // While the server is away there is nothing to say; it is asked again when it is back.
      if (thrown instanceof ApiError && thrown.status !== 0)
        session.fail({ code: thrown.code, message: thrown.message });
    }
  };
  const stopAsking = live.watchAll({
    onConnected: () => void ask(),
    onSession: () => {},
    onRemoved: (removed) => {
      if (removed === id) session.fail({ code: "session_not_found", message: "This session was removed." });
    },
  });
  return () => {
    stop();
    stopAsking();
  };
}
