/** Recorded streams of Gemini CLI: over ACP, and of `--output-format stream-json`. */
import { acpWire } from "../../drivers/acp/recorded.ts";
import { record } from "../../drivers/acp/read.ts";
import type { RecordedWire } from "../../drivers/shared/recorded.ts";
import { OneShotTranslator } from "./one-shot-translate.ts";
import { program } from "./program.ts";
import { quirks } from "./quirks.ts";

const kinds: ReadonlySet<unknown> = new Set(["init", "message", "tool_use", "tool_result", "result"]);

const oneShot: RecordedWire = {
  name: "stream-json",
  recognizes: (message) => kinds.has(record(message)["type"]) && "timestamp" in record(message),
  conversations: ({ cwd }) => {
    const translator = new OneShotTranslator({ cwd, prefix: "", exists: () => false });
    return [
      {
        said: (message) => translator.message(message),
        exited: (exit, stderr) => translator.exited(exit, stderr),
      },
    ];
  },
};

export const wires: readonly RecordedWire[] = [
  acpWire({ name: program.name, agent: program.id, quirks: quirks() }),
  oneShot,
];
