/** What of an event can be searched: what was asked and said, what tools did and put out, and files. Never what was discarded. */
import { clipText } from "../events/clip.ts";
import type { ReinsEvent } from "../events/types.ts";

/** Of one output; what is longer is a listing or a log, and its beginning tells what it is. */
const outputBytes = 16 * 1024;

export function searchText(event: ReinsEvent): string | undefined {
  const text = textOf(event)?.trim();
  return text === "" ? undefined : text;
}

function textOf(event: ReinsEvent): string | undefined {
  switch (event.type) {
    case "turn.started":
      return event.input?.text;
    case "input.added":
    case "message.completed":
      return event.text;
    case "tool.started":
      return event.title;
    case "tool.completed":
      return clipText(event.output.text, outputBytes).text;
    case "tool.failed":
      return clipText(event.error.message, outputBytes).text;
    case "file.changed":
      return event.oldPath === undefined ? event.path : `${event.oldPath} ${event.path}`;
    default:
      return undefined;
  }
}
