/** Translates every recorded stream of a folder with an agent's own translator, and checks the laws. */
import type { AgentEntry } from "../../src/agents/contract.ts";
import { acp, recordedWires } from "./wires.ts";
import { ReinsError, toReinsError } from "../../src/events/errors.ts";
import type { RecordedWire } from "./types.ts";
import { kinds, readStream, streamsIn, type RecordedFile } from "./files.ts";
import { play } from "./play.ts";

export type FileReport = { readonly file: string } & (
  | {
      readonly outcome: "translated";
      readonly wire: string;
      readonly turns: number;
      readonly events: number;
      readonly notices: number;
      readonly strange: readonly string[];
      readonly broken: readonly string[];
    }
  /** Skipped: the file has no message of this agent. */
  | { readonly outcome: "left_out"; readonly why: string }
  | { readonly outcome: "unreadable"; readonly why: string }
);

/** `wires`: the agent's own, unless a test supplies others. */
export async function translateFolder(
  entry: Pick<AgentEntry, "id" | "name">,
  folder: string,
  wires?: readonly RecordedWire[],
): Promise<FileReport[]> {
  const own = wires ?? [(await recordedWires[entry.id]?.(entry)) ?? []].flat();
  if (own.length === 0)
    throw new ReinsError("unsupported", `${entry.name} runs no process whose stream could be recorded.`);
  const names = await streamsIn(folder).catch((error: unknown) => {
    const notThere = /^(?:ENOENT|ENOTDIR)$/.test(String((error as NodeJS.ErrnoException).code));
    const why = notThere ? "is not a folder" : `could not be read: ${toReinsError(error).message}`;
    throw new ReinsError("invalid_input", `${folder} ${why}.`);
  });
  const all = [...own, acp(entry)];
  const reports: FileReport[] = [];
  for (const file of names) {
    const failed = (error: unknown) => ({ file, outcome: "unreadable", why: toReinsError(error).message }) as const;
    reports.push(
      await readStream(folder, file)
        .then((read) => translated(entry.id, all, read), failed)
        .catch(failed),
    );
  }
  return reports;
}

function translated(agent: string, wires: readonly RecordedWire[], file: RecordedFile): FileReport {
  const { name, messages } = file;
  if (messages.length === 0) return { file: name, outcome: "left_out", why: "the file is empty" };
  const wire = wires.find((one) => messages.some(({ dir, message }) => dir === "out" && one.recognizes(message)));
  if (wire === undefined) return { file: name, outcome: "left_out", why: "not a stream of this agent" };
  const cwd = "/workspace";
  const conversations = wire.conversations({ cwd, messages }).map((translator) => play(agent, file, translator, cwd));
  const seen = conversations.flatMap((conversation) => conversation.seen);
  const count = (type: string): number => seen.filter((event) => event.type === type).length;
  return {
    file: name,
    outcome: "translated",
    wire: wire.name,
    turns: count("turn.completed"),
    events: seen.length,
    notices: count("notice"),
    strange: conversations.flatMap(({ strange }) => strange),
    broken: conversations.flatMap(({ broken }) => broken),
  };
}

/** Reports one line for each file, with its problems below it, and a summary. */
export function reportOf(reports: readonly FileReport[]): { lines: readonly string[]; failed: boolean } {
  if (reports.length === 0)
    return { lines: [`The folder contains no recorded stream (${kinds.join(", ")}).`], failed: true };
  const translated = reports.filter((report) => report.outcome === "translated");
  const broken = translated.filter((report) => report.broken.length > 0).length;
  const unreadable = reports.filter((report) => report.outcome === "unreadable").length;
  const sums = [
    `${translated.length} of ${reports.length} files translated`,
    `${translated.reduce((sum, { events }) => sum + events, 0)} events`,
    ...(translated.length === 0 ? [] : [broken === 0 ? "every law held" : `laws broken in ${broken}`]),
    ...(unreadable === 0 ? [] : [`${unreadable} could not be read`]),
  ];
  const lines = [...reports.flatMap(linesOf), `${sums.join(", ")}.`];
  return { lines, failed: broken > 0 || unreadable > 0 || translated.length === 0 };
}

function linesOf(report: FileReport): string[] {
  const { file } = report;
  if (report.outcome === "left_out") return [`- ${file}: skipped, ${report.why}`];
  if (report.outcome === "unreadable") return [`✘ ${file}: could not be read: ${report.why}`];
  const { wire, turns, events, notices, strange, broken } = report;
  const held = broken.length === 0;
  const laws = held ? "laws held" : "laws broken";
  return [
    `${held ? "✔" : "✘"} ${file}: ${wire}, ${turns} turns, ${events} events, ${notices} notices, ${laws}`,
    ...broken.map((sentence) => `    broken: ${sentence}`),
    ...strange.map((sentence) => `    not understood: ${sentence}`),
  ];
}
