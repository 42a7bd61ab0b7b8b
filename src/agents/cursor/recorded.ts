/** Recorded streams of Cursor: over ACP, and of `-p --output-format stream-json`, in its newer and its older shape. */
import { acpWire } from "../../drivers/acp/recorded.ts";
import { record, text } from "../../drivers/shared/read.ts";
import type { RecordedWire } from "../../drivers/shared/recorded.ts";
import { quirksWith } from "./local/acp-quirks.ts";
import { PrintTranslator } from "./local/print-translate.ts";
import { program } from "./program.ts";

const kinds = /^(?:system|user|assistant|thinking|tool_call|tool|interaction_query|connection|retry|result)$/;

const streamJson: RecordedWire = {
  name: "stream-json",
  recognizes: (message) => kinds.test(text(record(message)["type"]) ?? ""),
  conversations: ({ cwd }) => {
    const fresh = () => new PrintTranslator({ cwd, onChat: () => [] });
    let translator = fresh();
    return [
      {
        // Each prompt is a process of its own, and its output may have been added to that of the last.
        begins: ({ message }) => record(message)["type"] === "system" && record(message)["subtype"] === "init",
        prompted: () => void (translator = fresh()),
        said: (message) => translator.translate(message),
        exited: (exit, stderr) => translator.exited(exit, stderr),
      },
    ];
  },
};

const quirks = quirksWith();

export const wires: readonly RecordedWire[] = [acpWire({ name: program.name, agent: program.id, quirks }), streamJson];
