/** Recorded streams of Codex: of its app server, with several threads in one stream, and of `codex exec --json`. */
import { record, text } from "../../drivers/stream-json/read.ts";
import type { RecordedStream, RecordedTranslator, RecordedWire } from "../../drivers/shared/recorded.ts";
import { OneShotTranslator } from "./one-shot-translate.ts";
import { Translator } from "./translate.ts";

const appServer: RecordedWire = {
  name: "app server",
  recognizes: (message) => /^(?:thread|turn|item)\//.test(text(record(message)["method"]) ?? ""),
  conversations: (stream) => threadsIn(stream).map((thread) => conversation(thread, stream.cwd)),
};

/** Those that were spoken to; the others are their subagents. */
function threadsIn({ messages }: RecordedStream): readonly string[] {
  const started = messages.filter(({ message }) => record(message)["method"] === "turn/started");
  const threads = started.map(({ message }) => text(record(record(message)["params"])["threadId"]) ?? "");
  return [...new Set(threads)];
}

function conversation(thread: string, cwd: string): RecordedTranslator {
  const translator = new Translator({ cwd, mode: "ask", prefix: "", fresh: true });
  translator.opened(thread);
  return {
    begins: ({ dir, message }) => {
      const { method, params } = record(message);
      return dir === "out" && method === "turn/started" && record(params)["threadId"] === thread;
    },
    prompted: () => translator.prompted(),
    said: (message) => {
      const { method, params, id } = record(message);
      // An answer, or a question of its own.
      return typeof method !== "string" || id !== undefined ? [] : translator.notification(method, params, message);
    },
    exited: (exit, stderr) => translator.exited(exit, stderr, false),
  };
}

const exec: RecordedWire = {
  name: "exec --json",
  recognizes: (message) => /^(?:thread|turn|item)\./.test(text(record(message)["type"]) ?? ""),
  conversations: ({ cwd }) => {
    const translator = new OneShotTranslator({ cwd, prefix: "", fresh: true });
    return [
      {
        said: (message) => translator.line(typeof message === "string" ? message : JSON.stringify(message)),
        exited: (exit, stderr) => translator.exited(exit, stderr, false),
      },
    ];
  },
};

export const wires: readonly RecordedWire[] = [appServer, exec];
