/** Recorded streams of any agent that speaks ACP. */
import { acpWire } from "../../drivers/acp/recorded.ts";
import type { RecordedWire } from "../../drivers/shared/recorded.ts";

export const wires: readonly RecordedWire[] = [acpWire({ name: "The agent", agent: "acp", quirks: {} })];
