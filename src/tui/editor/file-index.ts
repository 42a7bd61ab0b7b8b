/** The files of a folder, for the `@` picker. Searches run in slices, so that keys and drawing are never blocked. */
import { BestMatches, candidate, contains, query, type Candidate, type Match } from "./fuzzy.ts";

export interface FileIndexOptions {
  /** Relative paths with `/`, in batches. Folders end with `/`. Called again by each `refresh`. */
  readonly list: (signal: AbortSignal) => AsyncIterable<readonly string[]>;
  /** Clock in milliseconds, for the length of a slice. */
  readonly now?: (() => number) | undefined;
  /** Lets other work run. Default: `setImmediate`. */
  readonly pause?: (() => Promise<void>) | undefined;
}

export interface FileSearch {
  /** Best first. */
  readonly matches: readonly Match[];
  /** True when all files were known and compared. */
  readonly complete: boolean;
}

const sliceMs = 8;
/** The picker answers a key in less than 50 ms (`bench tui`, 100,000 files), with the matches found so far. */
const earlyMs = 15;
const checkEvery = 256;
const immediate = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export class FileIndex {
  readonly #options: FileIndexOptions;
  #candidates: Candidate[] = [];
  /** Candidates that matched a query: a longer query with the same start searches only these. */
  #narrowed: { readonly text: string; readonly exact: boolean; readonly found: readonly Candidate[] } | undefined;
  #reading: { readonly abort: AbortController; readonly done: Promise<void> } | undefined;
  #complete = false;

  constructor(options: FileIndexOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#candidates.length;
  }

  /** True when every file is known. */
  get complete(): boolean {
    return this.#complete;
  }

  /** Reads the list again. Except for the first time, the old list stays until the new one is complete. Never rejects. */
  refresh(): Promise<void> {
    this.#reading?.abort.abort();
    const abort = new AbortController();
    const done = this.#read(abort.signal).catch(() => undefined);
    this.#reading = { abort, done };
    return done;
  }

  close(): void {
    this.#reading?.abort.abort();
  }

  async #read(signal: AbortSignal): Promise<void> {
    const first = !this.#complete;
    const next: Candidate[] = [];
    if (first) this.#take(next);
    const slice = this.#slice();
    const known = new Set<string>();
    const add = (path: string): void => {
      if (path === "" || known.has(path)) return;
      known.add(path);
      next.push(candidate(path));
    };
    for await (const batch of this.#options.list(signal)) {
      for (const path of batch) {
        if (signal.aborted) return;
        for (const folder of newFolders(path, known)) add(folder);
        add(path);
        if (slice.over()) await slice.rest();
      }
      this.#narrowed = undefined;
    }
    if (signal.aborted) return;
    this.#take(next);
    this.#complete = true;
  }

  #take(candidates: Candidate[]): void {
    this.#candidates = candidates;
    this.#narrowed = undefined;
  }

  /**
   * Returns undefined when aborted. Candidates that contain the query are rated first, then those with its letters scattered, of which
   * there may be ten times as many. `early` gets the matches between the two phases, or when the search takes long.
   */
  async search(
    pattern: string,
    limit: number,
    { signal, early }: { readonly signal?: AbortSignal; readonly early?: (matches: readonly Match[]) => void } = {},
  ): Promise<FileSearch | undefined> {
    const wanted = query(pattern);
    const complete = this.#complete;
    const all = this.#candidates;
    const { text, exact } = wanted;
    const before = this.#narrowed;
    const narrows =
      before !== undefined && before.text !== "" && text.startsWith(before.text) && (exact || !before.exact);
    const searched = narrows ? before.found : all;
    const best = new BestMatches(limit);
    const found: Candidate[] = [];
    const scattered: Candidate[] = [];
    const slice = this.#slice();
    let isEarly = early === undefined;
    const showEarly = (): void => {
      if (isEarly || best.list.length === 0) return;
      isEarly = true;
      early?.(best.list);
    };
    const rest = async (): Promise<boolean> => {
      await slice.rest();
      if (signal?.aborted === true) return false;
      if (slice.total() > earlyMs) showEarly();
      return true;
    };
    // Files that are added meanwhile belong to the next search.
    const { length } = searched;
    for (let index = 0; index < length; index++) {
      if (slice.over() && !(await rest())) return undefined;
      const item = searched[index] as Candidate;
      if (!contains(item, wanted)) scattered.push(item);
      else if (best.add(item, wanted)) found.push(item);
    }
    if (scattered.length > 0) showEarly();
    for (const item of scattered) {
      if (slice.over() && !(await rest())) return undefined;
      if (best.add(item, wanted)) found.push(item);
    }
    if (complete && this.#candidates === all) this.#narrowed = { text, exact, found };
    return { matches: best.list, complete };
  }

  #slice() {
    const { now = () => performance.now(), pause = immediate } = this.#options;
    const from = now();
    let began = from;
    let steps = 0;
    return {
      total: () => now() - from,
      over: () => ++steps % checkEvery === 0 && now() - began > sliceMs,
      rest: async () => {
        await pause();
        began = now();
      },
    };
  }
}

/** The folders of a path that are not known yet, outermost first. */
function newFolders(path: string, known: ReadonlySet<string>): string[] {
  const folders: string[] = [];
  for (let end = path.lastIndexOf("/", path.length - 2); end > 0; end = path.lastIndexOf("/", end - 1)) {
    const folder = path.slice(0, end + 1);
    if (known.has(folder)) break;
    folders.unshift(folder);
  }
  return folders;
}
