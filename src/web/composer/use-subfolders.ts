import { useEffect, useState } from "react";
import type { FoldersAnswer } from "../../server/schemas/folders.ts";
import { call } from "../state/api.ts";

/** So long nothing more is typed before it is asked. */
const restMs = 120;
const none: readonly string[] = [];

/** The folders that complete a path, which only the server knows; undefined: nobody wants to know. */
export function useSubfolders(path: string | undefined): readonly string[] {
  const [found, setFound] = useState({ path: "", folders: none });
  useEffect(() => {
    if (path === undefined) return undefined;
    const leaving = new AbortController();
    const timer = setTimeout(() => {
      call<FoldersAnswer>("GET", `/api/folders?path=${encodeURIComponent(path)}`, undefined, {
        signal: leaving.signal,
      }).then(
        ({ folders }) => setFound({ path, folders }),
        // Nothing is completed while the server is away, or where a link leads out of the roots.
        () => setFound({ path, folders: none }),
      );
    }, restMs);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [path]);
  // Those of before are no answer to what is typed now; while it is asked, what still fits stays.
  return path === undefined ? none : found.folders.filter((folder) => isBegunBy(folder, path));
}

const isBegunBy = (folder: string, path: string): boolean => folder.toLowerCase().startsWith(path.toLowerCase());
