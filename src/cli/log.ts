import { endWords } from "../view/words.ts";
import { withReins } from "./asking.ts";
import { untilEnding } from "./ending.ts";
import { jsonLine } from "./json-line.ts";
import { Progress } from "./progress.ts";
import { Screen, writeOut } from "./screen.ts";
import { showInput } from "./show-input.ts";

/** `reins log`: a session as it was, at the reader's pace. */
export async function log(
  name: string,
  { json = false, after = 0 }: { readonly json?: boolean; readonly after?: number },
  ending: AbortSignal,
): Promise<void> {
  const screen = new Screen();
  const progress = new Progress(screen, "past");
  await withReins(async (reins) => {
    const events = reins.sessions.events(name, { after })[Symbol.asyncIterator]();
    for (;;) {
      const next = await untilEnding(ending, events.next());
      if (next.done === true) break;
      const event = next.value;
      if (json) {
        await writeOut(jsonLine(event));
        continue;
      }
      if (event.type === "turn.started" && event.input !== undefined) showInput(screen, event.input);
      await progress.show(event);
      if (event.type === "turn.completed") screen.line(endWords(event, event.costUsd), "dim");
    }
    screen.still();
  });
}
