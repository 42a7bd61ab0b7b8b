import { loadConfiguration } from "../core/configuration.ts";
import type { Collected } from "../core/log.ts";
import { currentFolder } from "../process/current-folder.ts";
import { asking, print } from "./asking.ts";
import { shortId } from "./sessions.ts";

interface GcOptions {
  readonly keepDays?: number;
  readonly maxMb?: number;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** `reins gc`: removes what need not be kept. */
export async function gc(options: GcOptions, ending: AbortSignal): Promise<void> {
  const { store = {} } = await loadConfiguration(currentFolder(), process.env);
  const keepDays = options.keepDays ?? store.keepDays;
  const maxMb = options.maxMb ?? store.maxMb;
  const dry = options.dryRun === true;
  const collected = await asking("Looking", ending, (reins) => reins.sessions.collect({ keepDays, maxMb, dry }));
  await print([collected], options, ([one]) => told(one!, dry));
}

function told({ sessions, files, bytesBefore, bytesAfter }: Collected, dry: boolean): string {
  const names = sessions.map(({ id, title, updatedAt }) => `  ${shortId(id)}  ${updatedAt}  ${title ?? ""}\n`).join("");
  const what = `${sessions.length} ${sessions.length === 1 ? "session" : "sessions"} and ${files} ${files === 1 ? "file" : "files"}`;
  if (dry) return `Would remove ${what} of ${megabytes(bytesBefore)}.\n${names}`;
  return `Removed ${what}: ${megabytes(bytesBefore)} before, ${megabytes(bytesAfter)} now.\n${names}`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
