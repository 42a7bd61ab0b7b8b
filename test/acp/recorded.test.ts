/** Recordings of real agents, played through the driver and the core. */
import { expect, test } from "vitest";
import { encodeState, type AcpAgentOptions } from "../../src/protocols/acp/index.ts";
import type { ReinsEvent } from "../../src/index.ts";
import { linesOf, recordings, resumedIn, turnsIn, type Line } from "../fixtures/acp/read.ts";
import { playAcpRecording } from "../support/acp-recording.ts";
import { acpEntry } from "../support/toy.ts";

/** Plays a recording through the driver alone. */
async function play(name: string, quirks: AcpAgentOptions = {}): Promise<ReinsEvent[]> {
  const lines = linesOf(name);
  const entry = acpEntry({ id: "recorded", name: "Recorded", command: process.execPath, quirks });
  const resumed = resumedIn(lines);
  if (resumed === undefined) return playAcpRecording(entry, lines);
  return playAcpRecording(entry, lines.map(withoutResume), { resume: encodeState("recorded", resumed) });
}

/**
 * Removes the resume capability: the recording client used session/load although the agent could resume, and the driver must do the same.
 */
function withoutResume(line: Line): Line {
  const text = JSON.stringify(line);
  return text.includes('"agentCapabilities"') ? (JSON.parse(text.replace(/,?"resume":\{\}/, "")) as Line) : line;
}

/** The text the recorded agent sent live, without empty pieces and replayed history. */
function saidIn(lines: readonly Line[]): string {
  const first = lines.findIndex(({ dir, msg }) => dir === "in" && msg.method === "session/prompt");
  const updates = lines.slice(first).map(({ msg }) => (msg["params"] as { update?: Update } | undefined)?.update);
  return updates
    .map((update) => (update?.sessionUpdate === "agent_message_chunk" ? update.content?.text : ""))
    .join("");
}
interface Update {
  sessionUpdate?: string;
  content?: { text?: string };
}

const lost = ["gemini-load"];
const names = recordings().filter((name) => !lost.includes(name));

test("has recordings of every agent", () => {
  expect(new Set(names.map((name) => name.split("-")[0]))).toEqual(
    new Set(["claude", "codex", "copilot", "gemini", "opencode", "qwen"]),
  );
});

/** A short summary of the events, for the snapshot. */
function shape(events: readonly ReinsEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.type === "tool.started") return [`${event.tool}: ${event.title}`];
    if (event.type === "tool.failed") return [`failed (${event.reason}): ${event.error.message.split("\n")[0]}`];
    if (event.type === "file.changed") return [`${event.op} ${event.path.split("/").at(-1)}`];
    if (event.type === "permission.resolved") return [event.outcome];
    if (event.type === "tool.completed")
      return [`done: ${event.output.text.split("\n")[0]} ${event.exitCode ?? ""}`.trim()];
    if (event.type === "plan.updated") return [`plan: ${event.entries.map(({ text }) => text).join(", ")}`];
    if (event.type === "notice") return [`notice ${event.code}`];
    if (event.type === "turn.completed") return [`turn ${event.outcome} ${event.error?.code ?? ""}`.trim()];
    return [];
  });
}

test.each(names)("translates %s lawfully, with the agent's text exactly once", async (name) => {
  const events = await play(name);
  const lines = linesOf(name);
  expect(events.filter(({ type }) => type === "turn.completed")).toHaveLength(turnsIn(lines).length);
  const said = events.flatMap((event) => (event.type === "message.completed" ? [event.text] : [])).join("");
  const outside = events.some((event) => event.type === "notice" && event.code === "late");
  if (!outside) expect(said).toBe(saidIn(lines));
  expect(shape(events)).toMatchSnapshot();
});

test("fails with session_not_found for a session the agent no longer has", async () => {
  await expect(play("gemini-load")).rejects.toMatchObject({ code: "session_not_found" });
});
