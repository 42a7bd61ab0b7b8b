import type { Brought } from "../core/api.ts";
import { currentFolder } from "../process/current-folder.ts";
import { ago } from "./ago.ts";
import { withReins } from "./asking.ts";
import { commandName } from "./command-name.ts";
import { untilEnding } from "./ending.ts";
import { jsonLine } from "./json-line.ts";
import { safeFor } from "./safe-text.ts";
import { Screen, writeOut } from "./screen.ts";
import { shortId } from "./sessions.ts";

export interface ImportCommand {
  readonly all?: boolean;
  readonly cwd?: string;
  readonly json?: boolean;
}

/** `reins import`: what the agents themselves keep becomes sessions here. */
export async function importAll(agent: string | undefined, options: ImportCommand, ending: AbortSignal): Promise<void> {
  const { all = false, json = false } = options;
  const cwd = all ? undefined : (options.cwd ?? currentFolder());
  const screen = new Screen();
  const counts = { added: 0, grown: 0, known: 0, failed: 0 };
  screen.status("Reading what the agents keep");
  await withReins(async (reins) => {
    const found = reins.sessions.import(agent, { cwd })[Symbol.asyncIterator]();
    for (;;) {
      const next = await untilEnding(ending, found.next()).finally(() => screen.still());
      if (next.done === true) break;
      counts[next.value.outcome]++;
      if (json) await writeOut(jsonLine(next.value));
      else if (next.value.outcome !== "known") await writeOut(safeFor(process.stdout)(`${line(next.value)}\n`));
      screen.status(`Reading what the agents keep: ${counts.added + counts.grown} sessions`);
    }
  });
  screen.still();
  if (!json) screen.line(summary(counts, all));
}

function line({ outcome, agent, session, updatedAt, cwd, title, message, nativeId }: Brought): string {
  const id = session === undefined ? nativeId : shortId(session.id);
  const what = message ?? title ?? session?.title ?? "";
  return [outcome, id, agent, ago(updatedAt), cwd, what].filter((part) => part !== "").join("  ");
}

function summary({ added, grown, known, failed }: Record<Brought["outcome"], number>, all: boolean): string {
  if (added + grown + known + failed === 0) {
    return all
      ? "No agent keeps a conversation on this machine."
      : "No agent keeps a conversation about this folder. With --all every folder counts.";
  }
  const parts = [
    `${added} ${added === 1 ? "session" : "sessions"} brought in`,
    grown > 0 ? `${grown} had grown` : "",
    known > 0 ? `${known} ${known === 1 ? "was" : "were"} here already` : "",
    failed > 0 ? `${failed} could not be read` : "",
  ].filter((part) => part !== "");
  const next = added + grown > 0 ? `\nFind words in them: ${commandName()} search <words>` : "";
  return `${parts.join(", ")}.${next}`;
}
