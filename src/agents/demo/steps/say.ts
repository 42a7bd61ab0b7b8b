import type { Turn } from "../turn.ts";

/** Text as a model gives it: piece by piece, and whole at the end, also when it is cut short. */
export async function speak(turn: Turn, kind: "message" | "thought", pieces: Iterable<string>): Promise<void> {
  const messageId = turn.newId(kind);
  let text = "";
  try {
    for (const piece of pieces) {
      const room = turn.emit({ type: `${kind}.delta`, messageId, text: piece });
      text += piece;
      if (room !== undefined) await room;
    }
  } finally {
    if (text !== "") turn.close({ type: `${kind}.completed`, messageId, text });
  }
  if (kind === "message") turn.said = true;
}

export async function say(turn: Turn, text: string): Promise<void> {
  await speak(turn, "message", inPieces(text));
}

export async function think(turn: Turn, text: string): Promise<void> {
  await speak(turn, "thought", inPieces(text));
}

/** A few words at a time. */
function inPieces(text: string): string[] {
  return text.match(/(?:\S*\s*){1,3}/g)?.filter((piece) => piece !== "") ?? [];
}
