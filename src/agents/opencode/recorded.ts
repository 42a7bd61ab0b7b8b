/** Recorded streams of OpenCode's server: its events as they came, or among the lines that Reins records of one. */
import { isRecord, record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import type { RecordedStream, RecordedTranslator, RecordedWire } from "../../drivers/shared/recorded.ts";
import { Translator } from "./translate.ts";

const server: RecordedWire = {
  name: "server events",
  recognizes: (message) => text(eventIn(message)["type"]) !== undefined,
  conversations: (stream) => sessionsIn(stream).map((session) => conversation(session, stream.cwd)),
};

/** The event in a message; an empty one where there is none. */
function eventIn(message: unknown): Wire {
  const { method, params, properties } = record(message);
  if (method === "event") return record(params);
  return isRecord(properties) ? record(message) : record(undefined);
}

/** Those that nobody else started; the others are subagents of theirs. */
function sessionsIn({ messages }: RecordedStream): readonly string[] {
  const found = messages.flatMap(({ message }) => {
    const info = record(record(eventIn(message)["properties"])["info"]);
    const id = text(info["id"]) ?? "";
    const asked = promptedIn(message);
    const own = id.startsWith("ses_") && info["parentID"] === undefined ? [id] : [];
    return asked === undefined ? own : [...own, asked];
  });
  return [...new Set(found)];
}

function promptedIn(message: unknown): string | undefined {
  return /^POST \/session\/(ses_\w+)\/(?:prompt_async|summarize)$/.exec(text(record(message)["method"]) ?? "")?.[1];
}

function conversation(session: string, cwd: string): RecordedTranslator {
  const translator = new Translator({ session, cwd, servers: new Set(), abort: () => {} });
  return {
    begins: ({ dir, message }) => dir === "in" && promptedIn(message) === session,
    // Without the requests its turns are seen by their messages.
    unprompted: true,
    sent: (message) => (promptedIn(message) === session ? translator.turns.sent() : undefined),
    said: (message) => {
      const event = eventIn(message);
      // What it asks is the business of others.
      if (/^(?:permission|question)\.|^$/.test(text(event["type"]) ?? "")) return [];
      return [...translator.translate(event), ...translator.ended()];
    },
    exited: (exit, stderr) => translator.exited(exit, stderr),
  };
}

export const wires: readonly RecordedWire[] = [server];
