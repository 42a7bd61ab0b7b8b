/** Recorded streams of Copilot: over ACP, and of `--output-format=json`. */
import { acpWire } from "../../drivers/acp/recorded.ts";
import { record, text } from "../../drivers/acp/read.ts";
import type { RecordedWire } from "../../drivers/shared/recorded.ts";
import { exitError } from "./errors-exit.ts";
import { OneShotTranslator } from "./one-shot-translate.ts";
import { program } from "./program.ts";
import { quirksWith } from "./quirks.ts";

const oneShot: RecordedWire = {
  name: "--output-format=json",
  recognizes: (message) => /^(?:session|user|assistant|tool)\./.test(text(record(message)["type"]) ?? ""),
  conversations: ({ cwd }) => {
    const translator = new OneShotTranslator({ cwd, servers: [] });
    return [
      {
        said: (message) => translator.translate(message),
        exited: (exit, stderr) => translator.exited(exitError(exit, stderr)),
      },
    ];
  },
};

export const wires: readonly RecordedWire[] = [
  acpWire({ name: program.name, agent: program.id, quirks: quirksWith([], []) }),
  oneShot,
];
