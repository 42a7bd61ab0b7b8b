import { useCallback } from "react";
import { oneLine } from "../../events/printable.ts";
import type { ReinsEvent } from "../../events/types.ts";
import { announce } from "../state/announce.ts";
import { useEvents } from "../state/session.ts";
import { announcementOf } from "./announcement-of.ts";

/** Says what a person who does not see the page has to know of the session that is shown. */
export function useAnnouncements(id: string): void {
  const listener = useCallback((event: ReinsEvent) => {
    const sentence = announcementOf(event);
    if (sentence !== undefined) announce(oneLine(sentence));
  }, []);
  useEvents(id, listener);
}
