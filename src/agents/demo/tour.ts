/** The answer to any other text: a look around, a plan and one small edit that needs approval. */
import { changeFile } from "../shared/in-process/located-files.ts";
import type { Turn } from "./session.ts";
import { planAt, say, think } from "./steps.ts";
import { useTool } from "./tools.ts";

const path = "hello-from-reins.md";

export async function tour(turn: Turn, prompt: string): Promise<void> {
  const { turns } = turn.context;
  await think(turn, "This is no step I know, so I show what an agent does: look, plan, ask, change.");
  await say(
    turn,
    `Hello! I am the demo agent: no model and no network, but real files. You said “${shorten(prompt)}”. Let me show you around.`,
  );
  await turn.emit({ type: "plan.updated", entries: planAt(0) });
  await useTool(turn, "list", {});
  await turn.emit({ type: "plan.updated", entries: planAt(1) });
  const before = turn.notes.length;
  const wasChanged = await smallEdit(turn);
  await turn.emit({ type: "plan.updated", entries: planAt(2) });
  const memory = turns > 1 ? ` This was turn ${turns} of our conversation.` : "";
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
    `${before ?? "# Hello from Reins\n\n"}- Turn ${turn.context.turns} of the demo agent was here.\n`;
  const input = { path, text: change(undefined) };
  await useTool(turn, "write", input, {
    path: () => path,
    change: () => change,
    run: async (_turn, _input, running) => {
      await changeFile(turn, running, path, change);
      wasChanged = true;
      return { text: `One line was added to ${path}.`, note: `Wrote ${path}` };
    },
  });
  return wasChanged;
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
