import { useMemo } from "react";
import type { Item, TextItem, TurnEntry } from "../../view/model.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { useSession } from "../state/session.ts";

/** The last that it said. */
export function EntryAnswer({ session, label }: { readonly session: string; readonly label: string }) {
  const { conversation, version } = useSession(session);
  const said = useMemo(() => {
    const message = lastMessage(conversation.entries);
    // The object itself grows: what is drawn is what it is now.
    return message && { text: message.text, streaming: message.streaming };
  }, [conversation, version]);
  if (said === undefined) return null;
  return (
    <div className="entry-answer" tabIndex={0} role="group" aria-label={label}>
      <Markdown text={said.text} streaming={said.streaming} />
    </div>
  );
}

function lastMessage(entries: readonly (TurnEntry | Item)[]): TextItem | undefined {
  for (let at = entries.length - 1; at >= 0; at--) {
    const entry = entries[at]!;
    if (entry.kind === "message" && entry.text.trim() !== "") return entry;
    const inside = entry.kind === "turn" ? lastMessage(entry.items) : undefined;
    if (inside !== undefined) return inside;
  }
  return undefined;
}
