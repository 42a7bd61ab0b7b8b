import { useEffect, useState } from "react";
import type { SearchAnswer } from "../../server/schemas/sessions.ts";
import { call } from "../state/api.ts";

/** So long nothing more is typed before it is asked. */
const restMs = 250;

export interface Found {
  /** What was asked; empty where nothing is. */
  readonly words: string;
  readonly hits: SearchAnswer["hits"];
  readonly asking: boolean;
  readonly failed: boolean;
}

const nothing: Found = { words: "", hits: [], asking: false, failed: false };

/** Words within the conversations, which only the server has. */
export function useSearch(typed: string): Found {
  const words = typed.trim();
  const [found, setFound] = useState<Found>(nothing);
  useEffect(() => {
    if (words.length < 2) {
      setFound(nothing);
      return undefined;
    }
    const leaving = new AbortController();
    setFound((before) => ({ ...before, asking: true }));
    const timer = setTimeout(() => {
      const path = `/api/search?limit=20&q=${encodeURIComponent(words.slice(0, 500))}`;
      call<SearchAnswer>("GET", path, undefined, { signal: leaving.signal }).then(
        ({ hits }) => setFound({ words, hits, asking: false, failed: false }),
        () => {
          if (!leaving.signal.aborted) setFound({ words, hits: [], asking: false, failed: true });
        },
      );
    }, restMs);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [words]);
  return found;
}
