/** Recorded streams of Claude Code. */
import type { RecordedWire } from "../../drivers/shared/recorded.ts";
import { streamJsonWire } from "../../drivers/stream-json/recorded.ts";
import { createTranslator } from "./translate.ts";

export const wires: readonly RecordedWire[] = [
  streamJsonWire((cwd) => createTranslator({ cwd, mode: "ask", prefix: "", resumed: false })),
];
