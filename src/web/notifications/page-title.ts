import { useEffect } from "react";
import { useSessions } from "../state/sessions.ts";

/** The title of the browser's tab: how many sessions wait for somebody stands first, to be seen from another tab. */
export function usePageTitle(title: string): void {
  const { sessions } = useSessions();
  const waiting = sessions.filter((session) => session.waiting.length > 0).length;
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ""}${title} · Reins`;
  }, [title, waiting]);
}
