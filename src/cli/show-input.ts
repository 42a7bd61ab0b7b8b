import type { EventOf } from "../events/types.ts";
import { attachedWords } from "../view/words.ts";
import type { Screen } from "./screen.ts";

/** What somebody said, with the names of what they said it with. */
export function showInput(screen: Pick<Screen, "line">, input: NonNullable<EventOf<"turn.started">["input"]>): void {
  screen.line(input.text.replaceAll(/^/gm, "> "), "bold");
  const attached = attachedWords(input);
  if (attached !== undefined) screen.line(`· ${attached}`, "dim");
}
