/** Recorded streams of pi. */
import { record } from "../../drivers/stream-json/read.ts";
import type { RecordedWire } from "../../drivers/shared/recorded.ts";
import { Translator } from "./translate.ts";

const kinds: ReadonlySet<unknown> = new Set([
  "agent_start",
  "turn_start",
  "message_start",
  "message_update",
  "response",
]);

/** Answers to commands, which go to whoever asked, and what it asks itself. */
const asides: ReadonlySet<unknown> = new Set(["response", "extension_ui_request"]);

const events: RecordedWire = {
  name: "its events",
  recognizes: (message) => kinds.has(record(message)["type"]),
  conversations: ({ cwd }) => {
    const translator = new Translator({ cwd, home: "/", prefix: "" });
    return [
      {
        begins: ({ dir, message }) => dir === "out" && record(message)["type"] === "agent_start",
        prompted: () => {
          translator.promptSent();
          translator.promptAccepted();
        },
        said: (message) => (asides.has(record(message)["type"]) ? [] : translator.translate(message)),
        exited: (exit, stderr) => translator.exited(exit, stderr),
      },
    ];
  },
};

export const wires: readonly RecordedWire[] = [events];
