/** Recorded streams of Qwen Code. */
import type { RecordedWire } from "../../drivers/shared/recorded.ts";
import { record } from "../../drivers/stream-json/read.ts";
import { streamJsonWire } from "../../drivers/stream-json/recorded.ts";
import { Translator } from "./translate.ts";

export const wires: readonly RecordedWire[] = [
  streamJsonWire((cwd) => {
    const translator = new Translator({ cwd, mode: "ask", prefix: "", resumed: false });
    return {
      prompted: () => translator.prompted(),
      // Our own relay says these, and its session counts them.
      translate: (message) => (record(message)["type"] === "request_failed" ? [] : translator.translate(message)),
      exited: (exit, stderr) => translator.exited(exit, stderr),
    };
  }),
];
