/** Conversations of which each is a file of JSON lines: listed by a glance at each line, and read line by line. */
import type { Wire } from "../../drivers/stream-json/read.ts";
import type { AgentHistory, PastEvent, PastSession } from "../contract.ts";
import { historyFiles, historyLines } from "./history-files.ts";
import type { HistoryFile } from "./history-files.ts";
import type { PastTurns } from "./past-turns.ts";

/** What a file is about, as its lines tell one after the other. */
export interface Glance {
  see(entry: Wire): void;
  /** Undefined for a file that is no conversation of a person's. */
  readonly session: Omit<PastSession, "place"> | undefined;
}

/** From lines to what happened. */
export interface PastReader {
  see(entry: Wire): void;
  /** There are no more lines. */
  end(): void;
  readonly turns: PastTurns;
}

export interface JsonlHistory {
  readonly folder: string;
  /** How many folders below it the files may be. */
  readonly depth: number;
  readonly wanted: (path: string) => boolean;
  readonly glance: (file: HistoryFile) => Glance | Promise<Glance>;
  readonly reader: (session: PastSession) => PastReader;
}

/** A longer line is an output or an image: a glance passes it by. */
const longestGlance = 256 * 1024;

export function jsonlHistory({ folder, depth, wanted, glance, reader }: JsonlHistory): AgentHistory {
  return {
    async *list({ cwd } = {}) {
      for (const file of await historyFiles(folder, depth, wanted)) {
        const seen = await glance(file);
        try {
          for await (const { entries } of historyLines(file.path, longestGlance))
            entries.forEach((entry) => seen.see(entry));
        } catch {
          continue;
        }
        const { session } = seen;
        if (session !== undefined && session.messages > 0 && (cwd === undefined || session.cwd === cwd))
          yield { ...session, place: file.path };
      }
    },
    read: (session) => readPast(historyLines(session.place), reader(session)),
  };
}

/** Whatever a line holds, the others count. */
export async function* readPast(
  batches: AsyncIterable<{ readonly entries: readonly Wire[]; readonly broken: number }>,
  reader: PastReader,
): AsyncGenerator<readonly PastEvent[]> {
  let unread = 0;
  for await (const { entries, broken } of batches) {
    unread += broken;
    for (const entry of entries) {
      try {
        reader.see(entry);
      } catch {
        unread++;
      }
    }
    yield reader.turns.take();
  }
  reader.end();
  reader.turns.unread(unread);
  yield reader.turns.take();
}
