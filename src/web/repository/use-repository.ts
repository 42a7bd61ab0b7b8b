/** Follows the repository of a folder while the page is visible. */
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { watchRepository, type RepositoryWatch } from "../../commands/watch-repository.ts";
import type { ReinsEvent } from "../../events/types.ts";
import type { RepositoryAnswer } from "../../server/schemas/settings.ts";
import type { RepositoryStatus } from "../../view/repository.ts";
import { call, statusOf } from "../state/server.ts";
import { useEvents } from "../state/session.ts";

interface RepositoryOptions {
  readonly cwd: string;
  readonly session: string | undefined;
  readonly running: boolean | undefined;
  readonly pollIntervalMs: number;
}

/** A turn may change many files, and every refresh runs git and `gh`. */
const afterChangesMs = 2_000;

/** `status` is undefined until the first answer and null when the folder is in no repository. */
export function useRepository({ cwd, session, running, pollIntervalMs }: RepositoryOptions): {
  readonly status: RepositoryStatus | null | undefined;
  readonly refresh: () => void;
} {
  const [known, setKnown] = useState<{ readonly cwd: string; readonly status: RepositoryStatus | null }>();
  const watch = useRef<RepositoryWatch>(undefined);
  const refresh = useCallback(() => watch.current?.refresh(), []);
  const seen = useSyncExternalStore(onVisibility, () => document.visibilityState === "visible");
  useEffect(() => {
    if (!seen) return undefined;
    const leaving = new AbortController();
    const { signal } = leaving;
    const onStatus = (status: RepositoryStatus | undefined): void => setKnown({ cwd, status: status ?? null });
    watch.current = watchRepository({ repository: ask }, { cwd, intervalMs: pollIntervalMs, signal, onStatus });
    window.addEventListener("focus", refresh, { signal });
    return () => leaving.abort();
  }, [cwd, pollIntervalMs, seen, refresh]);
  useEffect(() => {
    // Refresh when a turn has ended.
    if (running === false) refresh();
  }, [running, refresh]);
  useFileChanges(session, refresh);
  return { status: known?.cwd === cwd ? known.status : undefined, refresh };
}

async function ask({ cwd = "" }: { readonly cwd?: string | undefined } = {}): Promise<RepositoryStatus | undefined> {
  try {
    const query = new URLSearchParams({ cwd }).toString();
    return (await call<RepositoryAnswer>("GET", `/api/repository?${query}`)).repository ?? undefined;
  } catch (thrown) {
    // No bar for a folder that is gone or not allowed. When the server is unreachable, keep the last status.
    if (statusOf(thrown) !== undefined) return undefined;
    throw thrown;
  }
}

function useFileChanges(session: string | undefined, refresh: () => void): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const onEvent = useCallback(
    (event: ReinsEvent): void => {
      if (event.type !== "file.changed" || timer.current !== undefined) return;
      timer.current = setTimeout(() => {
        timer.current = undefined;
        refresh();
      }, afterChangesMs);
    },
    [refresh],
  );
  useEffect(() => () => clearTimeout(timer.current), []);
  useEvents(session, onEvent);
}

function onVisibility(listener: () => void): () => void {
  document.addEventListener("visibilitychange", listener);
  return () => document.removeEventListener("visibilitychange", listener);
}
