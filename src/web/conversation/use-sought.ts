import { useEffect, useState } from "react";
import type { ReinsEvent } from "../../events/types.ts";
import type { EventsAnswer } from "../../server/schemas/turns.ts";
import { call } from "../state/api.ts";
import { navigate, sessionPath, useRoute } from "../state/route.ts";

/** The event that the address leads to (`#/s/<id>?at=<seq>`); another object each time somebody goes there. */
export function useSought(id: string): ReinsEvent | undefined {
  const at = Number(useRoute().query.get("at") ?? 0);
  const [sought, setSought] = useState<ReinsEvent>();
  useEffect(() => {
    if (!Number.isSafeInteger(at) || at < 1) return undefined;
    const leaving = new AbortController();
    const path = `/api/sessions/${encodeURIComponent(id)}/events?after=${at - 1}&limit=1`;
    call<EventsAnswer>("GET", path, undefined, { signal: leaving.signal }).then(
      ({ events }) => {
        setSought(events[0]);
        // Where it is gone to once: who chooses the same place again wants to go there again.
        navigate(sessionPath(id), { replace: true });
      },
      // Without it the session is read from its end, as ever.
      () => {},
    );
    return () => leaving.abort();
  }, [id, at]);
  return sought;
}
