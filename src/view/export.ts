/** A session to take along: as Markdown, as a page, or as its events. */
import type { ReinsEvent } from "../events/types.ts";
import { createConversation } from "./conversation.ts";
import { jsonLine } from "./json-line.ts";
import type { ExportFormat } from "./export-formats.ts";
import { htmlPage, titleOf } from "./export-html.ts";
import { markdown } from "./markdown.ts";

export interface ExportOptions {
  readonly format: ExportFormat;
  /** A title for a session whose events have none. */
  readonly title?: string | undefined;
  /** Also what the agent thought; the events themselves always have it. Default: no. */
  readonly thoughts?: boolean | undefined;
}

/** In pieces. The events are gone through once; as JSONL none is kept. */
export async function* exportSession(
  batches: AsyncIterable<readonly ReinsEvent[]>,
  { format, title, thoughts = false }: ExportOptions,
): AsyncGenerator<string> {
  if (format === "jsonl") {
    for await (const events of batches) yield events.map(eventJson).join("");
    return;
  }
  const builder = createConversation();
  for await (const events of batches) for (const event of events) builder.apply(event);
  const { conversation } = builder;
  conversation.title = title ?? titleOf(conversation);
  const options = { thoughts, outputLines: Infinity };
  if (format === "html") yield* htmlPage(conversation, options);
  else yield markdown(conversation, options);
}

/** The native message stays out: it is for whoever looks for a fault in an agent's folder. */
function eventJson({ raw: _raw, ...event }: ReinsEvent): string {
  return jsonLine(event);
}
