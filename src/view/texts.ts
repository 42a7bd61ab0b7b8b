import type { EventOf } from "../events/types.ts";
import type { Item, TextItem, TurnEntry } from "./model.ts";

type Delta = EventOf<"message.delta" | "thought.delta">;
type Completed = EventOf<"message.completed" | "thought.completed">;
type Among = (TurnEntry | Item)[];

/** Messages and thoughts as they stream: grown by pieces, completed, or taken out again. */
export class Texts {
  readonly #streaming = new Map<string, { readonly item: TextItem; readonly among: Among }>();

  delta(event: Delta, among: () => Among): void {
    const open = this.#streaming.get(event.messageId);
    if (open !== undefined) {
      open.item.text += event.text;
      return;
    }
    const place = among();
    this.#streaming.set(event.messageId, { item: add(event, place), among: place });
  }

  completed(event: Completed, among: () => Among): void {
    const item = this.#streaming.get(event.messageId)?.item ?? add(event, among());
    this.#streaming.delete(event.messageId);
    item.text = event.text;
    item.streaming = false;
    item.bytes = event.bytes;
    if (event.type === "message.completed") item.content = event.content;
  }

  discarded(event: EventOf<"message.discarded">): void {
    const open = this.#streaming.get(event.messageId);
    if (open === undefined) return;
    this.#streaming.delete(event.messageId);
    open.among.splice(open.among.lastIndexOf(open.item), 1);
  }
}

function add(event: Delta | Completed, among: Among): TextItem {
  const kind = event.type.startsWith("message") ? "message" : "thought";
  const item: TextItem = { kind, id: event.messageId, text: event.text, streaming: true };
  among.push(item);
  return item;
}
