/** Plays a recorded ACP conversation through the whole agent and the core. */
import { expect, test } from "vitest";
import { linesOf } from "../../../test/fixtures/acp/read.ts";
import { playAcpRecording } from "../../../test/support/acp-recording.ts";
import type { ReinsEvent } from "../../index.ts";

const entry = { id: "gemini", name: "Gemini CLI", load: () => import("./index.ts") };
const env = { REINS_GEMINI_COMMAND: process.execPath };

/** A short form of the events. */
function shape(events: readonly ReinsEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.type === "tool.started") return [`${event.tool} (${event.nativeName}): ${event.title}`];
    if (event.type === "tool.failed") return [`failed (${event.reason})`];
    if (event.type === "tool.completed") return [`done: ${event.output.text}`.trim()];
    if (event.type === "file.changed") return [`${event.op} ${event.path}`];
    if (event.type === "permission.requested") return [`asked: ${event.title} ${JSON.stringify(event.input)}`];
    if (event.type === "message.completed") return [`said: ${event.text}`];
    if (event.type === "thought.completed") return [`thought: ${event.text}`];
    if (event.type === "notice") return [`notice ${event.code}`];
    if (event.type === "turn.completed")
      return [`turn ${event.outcome} ${event.error?.code ?? ""} ${event.usage?.input ?? "-"}`];
    return [];
  });
}

test("replays every turn of a long conversation", async () => {
  const events = await playAcpRecording(entry, linesOf("gemini-main"), { env });
  expect(shape(events)).toMatchSnapshot();
});
