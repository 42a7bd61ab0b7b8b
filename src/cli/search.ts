import type { SearchHit } from "../core/log.ts";
import { currentFolder } from "../process/current-folder.ts";
import { ago } from "./ago.ts";
import { asking, print } from "./asking.ts";
import type { ListOptions } from "./sessions.ts";
import { shortId } from "./sessions.ts";
import { fitted, table } from "./table.ts";

/** `reins search`: where words stand in what was asked, said, done and changed. */
export async function search(words: string, options: ListOptions, ending: AbortSignal): Promise<void> {
  const { agent, limit, here } = options;
  const cwd = here === true ? currentFolder() : undefined;
  const found = await asking("Searching", ending, (reins) => reins.sessions.search(words, { agent, limit, cwd }));
  await print(found, options, listing);
}

function listing(hits: readonly SearchHit[]): string {
  if (hits.length === 0) return "Nothing was found.\n";
  const rows = hits.map(({ session, seq, time, excerpt }) => ({
    cells: [shortId(session.id), String(seq), ago(time), session.agent ?? "", excerpt],
  }));
  return fitted(table(["session", "event", "when", "agent", "where"], rows));
}
