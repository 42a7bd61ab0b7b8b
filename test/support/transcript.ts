/** Transcripts for tests: a conversation from a few events, and the rows a person would see. */
import type { EventPayload, ReinsEvent } from "../../src/events/types.ts";
import { conversation } from "../../src/view/conversation.ts";
import { themes } from "../../src/tui/themes.ts";
import { Transcript, type Block, type Look } from "../../src/tui/transcript/index.ts";
import { plain, rowsOf } from "../../src/tui/wrap.ts";
import { stamp } from "./histories.ts";

export function look(more: Partial<Look> = {}): Look {
  return { width: 80, theme: themes.dark, unfolded: new Set(), expandAll: false, foldTurns: true, ...more };
}

export const prompted: EventPayload = { type: "turn.started", origin: "prompt", input: { text: "Do it" } };

export function ended(more: object = {}): EventPayload {
  const facts = { text: "", durationMs: 34_000, toolCalls: 2, filesChanged: ["a.ts"] };
  return { type: "turn.completed", outcome: "done", ...facts, ...more };
}

export function inTurn(...events: readonly EventPayload[]): ReinsEvent[] {
  return stamp(events.map((event) => ({ ...event, turnId: "t" })));
}

export function said(text: string, messageId = "m"): EventPayload {
  return { type: "message.completed", messageId, text };
}

export function rowsOfBlocks(blocks: readonly Block[], width: number): string[] {
  return blocks.flatMap(({ lines }) => lines.flatMap((line) => rowsOf(line, width).map(({ text }) => plain(text))));
}

export function seen(events: readonly ReinsEvent[], more: Partial<Look> = {}): string[] {
  const drawn = look(more);
  return rowsOfBlocks(new Transcript(conversation(events)).blocks(drawn), drawn.width);
}

export function screen(events: readonly ReinsEvent[], more: Partial<Look> = {}): string {
  return `\n${seen(events, more).join("\n")}\n`;
}
