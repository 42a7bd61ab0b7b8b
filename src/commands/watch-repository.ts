/** Follows the repository of a folder for an interface that shows it: polls, and asks at once on demand. */
import type { Reins } from "../core/api.ts";
import type { RepositoryStatus } from "../view/repository.ts";

export interface WatchRepositoryOptions {
  /** Default: the current folder of the Reins. */
  readonly cwd?: string | undefined;
  /** Time between an answer and the next query. Default: 30 seconds. */
  readonly intervalMs?: number | undefined;
  /** Stops it; afterwards nothing is called and no timer is left. */
  readonly signal: AbortSignal;
  /** Called with the first answer and with every changed one. Undefined when the folder is in no repository. */
  readonly onStatus: (status: RepositoryStatus | undefined) => void;
}

export interface RepositoryWatch {
  /** Asks now, for example after a command or a changed file. May be called often. */
  refresh(): void;
}

/** Calls of `refresh` within this time are joined. */
const debounceMs = 300;
/** A repository that takes longer than this is asked less often. */
const slowMs = 3_000;
const longestMs = 300_000;

/** Runs at most one query at a time. A failure is silent: the last status stays, and the next query comes later. */
export function watchRepository(
  reins: Pick<Reins, "repository">,
  { cwd, intervalMs = 30_000, signal, onStatus }: WatchRepositoryOptions,
): RepositoryWatch {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isAsking = false;
  let isWanted = false;
  let delayMs = intervalMs;
  let askedAt = -Infinity;
  let known: string | undefined;

  const schedule = (ms: number): void => {
    clearTimeout(timer);
    if (!signal.aborted) timer = setTimeout(() => void ask(), ms);
  };

  async function ask(): Promise<void> {
    if (isAsking) return;
    [isAsking, isWanted, askedAt] = [true, false, Date.now()];
    const answer = await reins.repository({ cwd }).then(
      (status) => ({ status }),
      () => undefined,
    );
    isAsking = false;
    if (signal.aborted) return;
    const isSlow = answer === undefined || Date.now() - askedAt > slowMs;
    delayMs = isSlow ? Math.min(delayMs * 2, Math.max(longestMs, intervalMs)) : intervalMs;
    schedule(isWanted ? debounceMs : delayMs);
    if (answer !== undefined) tell(answer.status);
  }

  function tell(status: RepositoryStatus | undefined): void {
    const text = JSON.stringify(status) ?? "none";
    if (text === known) return;
    known = text;
    onStatus(status);
  }

  signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  if (!signal.aborted) void ask();
  return {
    refresh: () => {
      // The running query may have started before the change.
      if (isAsking || isWanted) return void (isWanted = true);
      isWanted = true;
      const waitMs = debounceMs - (Date.now() - askedAt);
      if (waitMs > 0) schedule(waitMs);
      else if (!signal.aborted) {
        clearTimeout(timer);
        void ask();
      }
    },
  };
}
