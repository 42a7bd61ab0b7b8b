/** Exports a session as Markdown, as an HTML page, or as its events (JSONL). */
import type { ReinsEvent } from "../events/types.ts";
import { createConversation } from "./conversation.ts";
import { jsonLine } from "./json-line.ts";
import type { ExportFormat } from "./export-formats.ts";
import { htmlPage, titleOf } from "./export-html.ts";
import { markdown } from "./markdown.ts";

export interface ExportOptions {
  readonly format: ExportFormat;
  /** Used when the session's events have no title. */
  readonly title?: string | undefined;
  /** Include thinking. JSONL always includes it. Default: false. */
  readonly thoughts?: boolean | undefined;
}

/** Yields the export in pieces. Reads the events once; JSONL keeps none of them in memory. */
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

/** Drops `raw`, the agent's own message: it is only for debugging an agent's adapter. */
function eventJson({ raw: _raw, ...event }: ReinsEvent): string {
  return jsonLine(event);
}
