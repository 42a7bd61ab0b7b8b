/** The history of an agent that keeps each conversation as a file of JSON lines. */
import type { JsonObject } from "../../../protocols/json.ts";
import type { AgentHistory, PastEvent } from "../../contract.ts";
import { historyFiles, historyLines } from "./files.ts";
import { PastConversation } from "./past-conversation.ts";

/** Adds the lines of a file to a conversation. */
export interface PastReader {
  line(entry: JsonObject): void;
  /** Called after the last line. */
  end?(): void;
}

export interface JsonlHistory {
  readonly folder: string;
  /** How deep below the folder the files may be. */
  readonly depth: number;
  /** Matches the path of a conversation relative to the folder, with slashes. */
  readonly files: RegExp;
  readonly state: (id: string) => string;
  /** Creates the reader of one file. During `list`, nothing but the path is known yet. */
  readonly reader: (past: PastConversation, path: string) => PastReader | Promise<PastReader>;
}

/** The list skips longer lines, which hold outputs or images. */
const longestListed = 256 * 1024;

export function jsonlHistory({ folder, depth, files, state, reader }: JsonlHistory): AgentHistory {
  return {
    async *list({ cwd } = {}) {
      for (const place of await historyFiles(folder, depth, files)) {
        const past = new PastConversation();
        try {
          for await (const _ of readPast(past, await reader(past, place), historyLines(place, longestListed)));
        } catch {
          continue;
        }
        const session = past.listed(state);
        if (session !== undefined && (cwd === undefined || session.cwd === cwd)) yield { ...session, place };
      }
    },
    async *read({ cwd, place }) {
      const past = new PastConversation(cwd);
      yield* readPast(past, await reader(past, place), historyLines(place));
    },
  };
}

/** Counts a line that cannot be read and continues with the next. */
export async function* readPast(
  past: PastConversation,
  reader: PastReader,
  batches: AsyncIterable<{ readonly entries: readonly JsonObject[]; readonly broken: number }>,
): AsyncGenerator<readonly PastEvent[]> {
  let unread = 0;
  for await (const { entries, broken } of batches) {
    unread += broken;
    for (const entry of entries) {
      try {
        reader.line(entry);
      } catch {
        unread++;
      }
    }
    yield past.take();
  }
  reader.end?.();
  past.over();
  past.unread(unread);
  yield past.take();
}
