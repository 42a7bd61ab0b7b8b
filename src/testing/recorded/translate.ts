/** Translates every recorded stream of a folder with an agent's own translator, and checks the laws. */
import type { AgentEntry } from "../../agents/contract.ts";
import { acpWire } from "../../drivers/acp/recorded.ts";
import type { RecordedWire } from "../../drivers/shared/recorded.ts";
import { ReinsError, toReinsError } from "../../events/errors.ts";
import { readStream, streamsIn } from "./files.ts";
import type { RecordedFile } from "./files.ts";
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
  /** There is nothing in it that this agent says. */
  | { readonly outcome: "left_out"; readonly why: string }
  | { readonly outcome: "unreadable"; readonly why: string }
);

export async function translateFolder(entry: AgentEntry, folder: string): Promise<FileReport[]> {
  const { recorded } = await entry.load();
  if (recorded === undefined)
    throw new ReinsError("unsupported", `${entry.name} has no streams of a process that could be recorded.`);
  // Whoever wrote an adapter for it may have recorded that.
  const wires = [...(await recorded()).wires, acpWire({ name: entry.name, agent: entry.id, quirks: {} })];
  const names = await streamsIn(folder).catch((error: unknown) => {
    const notThere = /^(?:ENOENT|ENOTDIR)$/.test(String((error as NodeJS.ErrnoException).code));
    const why = notThere ? "is no folder" : `could not be read: ${toReinsError(error).message}`;
    throw new ReinsError("invalid_input", `${folder} ${why}.`);
  });
  const reports: FileReport[] = [];
  for (const name of names) reports.push(await translateFile(entry.id, wires, folder, name));
  return reports;
}

async function translateFile(
  agent: string,
  wires: readonly RecordedWire[],
  folder: string,
  name: string,
): Promise<FileReport> {
  try {
    const file = await readStream(folder, name);
    if (file.messages.length === 0) return { file: name, outcome: "left_out", why: "nothing is in it" };
    const wire = wires.find((one) =>
      file.messages.some(({ dir, message }) => dir === "out" && one.recognizes(message)),
    );
    if (wire === undefined) return { file: name, outcome: "left_out", why: "it is no stream of this agent" };
    return translated(agent, wire, file);
  } catch (error) {
    return { file: name, outcome: "unreadable", why: toReinsError(error).message };
  }
}

function translated(agent: string, wire: RecordedWire, file: RecordedFile): FileReport {
  const cwd = "/workspace";
  const { messages } = file;
  const conversations = wire.conversations({ cwd, messages }).map((translator) => play(agent, file, translator, cwd));
  const count = (type: string) =>
    conversations.reduce((sum, { seen }) => sum + seen.filter((event) => event.type === type).length, 0);
  return {
    file: file.name,
    outcome: "translated",
    wire: wire.name,
    turns: count("turn.completed"),
    events: conversations.reduce((sum, { seen }) => sum + seen.length, 0),
    notices: count("notice"),
    strange: conversations.flatMap(({ strange }) => strange),
    broken: conversations.flatMap(({ broken }) => broken),
  };
}
