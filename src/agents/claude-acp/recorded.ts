/** Recorded streams of the adapter that speaks ACP for Claude Code. */
import { acpWire } from "../../drivers/acp/recorded.ts";
import type { RecordedWire } from "../../drivers/shared/recorded.ts";
import { program } from "./program.ts";
import { quirksWith } from "./quirks.ts";

const quirks = quirksWith({ sessionId: "", cwd: "/", mode: "ask" });

export const wires: readonly RecordedWire[] = [acpWire({ name: program.name, agent: program.id, quirks })];
