/** Recorded streams of agents that are spoken to in stream-json as Claude Code does: a prompt is a message of type `user`. */
import type { AgentEvent } from "../../events/types.ts";
import type { Exit } from "../../process/types.ts";
import type { RecordedWire } from "../shared/recorded.ts";
import { record } from "./read.ts";

interface Translator {
  prompted(): void;
  translate(message: unknown): readonly AgentEvent[];
  exited(exit: Exit, stderrTail: string): readonly AgentEvent[];
}

const kinds: ReadonlySet<unknown> = new Set(["system", "assistant", "result", "stream_event", "control_response"]);

export function streamJsonWire(translatorIn: (cwd: string) => Translator): RecordedWire {
  return {
    name: "stream-json",
    recognizes: (message) => kinds.has(record(message)["type"]),
    conversations: ({ cwd }) => {
      const translator = translatorIn(cwd);
      return [
        {
          begins: ({ dir, message }) => dir === "in" && record(message)["type"] === "user",
          prompted: () => translator.prompted(),
          said: (message) => translator.translate(message),
          exited: (exit, stderr) => translator.exited(exit, stderr),
        },
      ];
    },
  };
}
