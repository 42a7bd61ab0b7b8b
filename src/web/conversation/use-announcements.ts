import { useCallback, useEffect, useEffectEvent, useRef } from "react";
import { oneLine } from "../../events/printable.ts";
import type { ReinsEvent } from "../../events/types.ts";
import { announce } from "../state/announce.ts";
import type { SessionState } from "../state/session.ts";
import { useEvents } from "../state/session.ts";
import { announcementOf, waitingWords } from "./announcement-of.ts";

/** Says what a person who does not see the page has to know of the session that is shown; first, what waited for them when it was opened. */
export function useAnnouncements({ id, caughtUp, requests }: Pick<SessionState, "id" | "caughtUp" | "requests">): void {
  /** A request may come just before what was there is shown: it is said once. */
  const told = useRef(new Set<string>());
  const listener = useCallback((event: ReinsEvent) => {
    const sentence = announcementOf(event);
    if (sentence === undefined) return;
    if ("requestId" in event) told.current.add(event.requestId);
    announce(oneLine(sentence));
  }, []);
  useEvents(id, listener);
  const sayWhatWaits = useEffectEvent(() => {
    const sentence = waitingWords(requests.filter(({ requestId }) => !told.current.has(requestId)));
    for (const { requestId } of requests) told.current.add(requestId);
    if (sentence !== undefined) announce(oneLine(sentence));
  });
  useEffect(() => {
    if (caughtUp) sayWhatWaits();
  }, [caughtUp]);
}
