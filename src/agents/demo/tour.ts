/** What any other text gets: a look around, a plan and one small edit that somebody must approve. */
import { changeFile, previewChange } from "./change-file.ts";
import { list } from "./steps/list.ts";
import { planAt } from "./steps/plan.ts";
import { say, think } from "./steps/say.ts";
import type { Turn } from "./turn.ts";
import { useTool } from "./use-tool.ts";
import { locate } from "./workspace.ts";

const path = "hello-from-reins.md";

export async function tour(turn: Turn, prompt: string): Promise<void> {
  const { desk } = turn;
  await think(turn, "This is no step I know, so I show what an agent does: look, plan, ask, change.");
  await say(
    turn,
    `Hello! I am the demo agent: no model and no network, but real files. You said “${shorten(prompt)}”. Let me show you around.`,
  );
  await turn.emit({ type: "plan.updated", entries: planAt(0) });
  await list(turn);
  await turn.emit({ type: "plan.updated", entries: planAt(1) });
  const before = turn.notes.length;
  const wasChanged = await smallEdit(turn);
  await turn.emit({ type: "plan.updated", entries: planAt(2) });
  const memory = desk.turns > 1 ? ` This was turn ${desk.turns} of our conversation.` : "";
  await say(
    turn,
    `${wasChanged ? `I was allowed to, so I added a line to ${path}.` : `I changed nothing (${turn.notes[before] ?? "not allowed"}).`}${memory} ` +
      "Try `list`, `run node --version` or `write notes.txt hello; read notes.txt` next, or `help` for everything I can do.",
  );
  await turn.emit({ type: "plan.updated", entries: planAt(3) });
}

async function smallEdit(turn: Turn): Promise<boolean> {
  let wasChanged = false;
  const change = (before: string | undefined): string =>
    `${before ?? "# Hello from Reins\n\n"}- Turn ${turn.desk.turns} of the demo agent was here.\n`;
  await useTool(turn, {
    name: "write",
    input: { path, text: change(undefined) },
    held: true,
    locate: () => locate(turn.desk.options, path),
    preview: () => previewChange(turn, path, change),
    run: async (_input, callId) => {
      await changeFile(turn, callId, path, change);
      wasChanged = true;
      return { output: `${path} has one line more.`, note: `Wrote ${path}` };
    },
  });
  return wasChanged;
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
