/** Text and thinking, from pieces and from whole items. An item that is cut off is never told to be complete. */
import type { AgentEvent } from "../../events/types.ts";
import { texts, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";

type Kind = "message" | "thought";

interface Open {
  readonly kind: Kind;
  readonly threadId: string;
  readonly parent: string | undefined;
  readonly messageId: string;
  said: string;
  /** Which of an item's texts the pieces are of: a summary of the thinking, or the thinking itself. */
  channel: string;
  part: unknown;
}

const nothing: readonly AgentEvent[] = Object.freeze([]);

export class Texts {
  readonly #prefix: string;
  readonly #open = new Map<string, Open>();
  #count = 0;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** The hot path: nearly every line of an answer is a piece of text. */
  piece(
    kind: Kind,
    params: Wire,
    threadId: string,
    parent: string | undefined,
    channel = "text",
  ): readonly AgentEvent[] {
    const { itemId, delta } = params;
    if (typeof itemId !== "string" || typeof delta !== "string" || delta === "") return nothing;
    let open = this.#open.get(itemId);
    const part = params["summaryIndex"] ?? params["contentIndex"];
    if (open === undefined) {
      open = { kind, threadId, parent, messageId: this.#nextId(), said: "", channel, part };
      this.#open.set(itemId, open);
    }
    if (open.channel !== channel) return nothing;
    const said = open.part === part ? delta : `\n\n${delta}`;
    open.part = part;
    open.said += said;
    return [{ type: `${kind}.delta`, messageId: open.messageId, text: said, parent: open.parent }];
  }

  /** A whole item: the end of what streamed, or all there is of it. */
  whole(kind: Kind, item: Wire, parent: string | undefined): readonly AgentEvent[] {
    const id = text(item["id"]) ?? "";
    const open = this.#open.get(id);
    this.#open.delete(id);
    const said = wholeText(kind, item) || (open?.said ?? "");
    if (said === "") return nothing;
    const messageId = open?.messageId ?? this.#nextId();
    return [{ type: `${kind}.completed`, messageId, text: said, parent: open?.parent ?? parent }];
  }

  /** What was cut off in the middle and is said anew, or not at all. */
  discarded(threadId: string, reason: "retry" | "steered"): readonly AgentEvent[] {
    return this.#end(threadId, ({ messageId, parent }) => ({ type: "message.discarded", messageId, reason, parent }));
  }

  /** Nothing more comes of this thread: what streamed is all there is. */
  ended(threadId?: string): readonly AgentEvent[] {
    return this.#end(threadId, ({ kind, messageId, said, parent }) => ({
      type: `${kind}.completed`,
      messageId,
      text: said,
      parent,
    }));
  }

  #end(threadId: string | undefined, how: (open: Open) => AgentEvent): readonly AgentEvent[] {
    const events: AgentEvent[] = [];
    for (const [itemId, open] of this.#open) {
      if (threadId !== undefined && open.threadId !== threadId) continue;
      this.#open.delete(itemId);
      events.push(how(open));
    }
    return events;
  }

  #nextId(): string {
    return `${this.#prefix}m${++this.#count}`;
  }
}

function wholeText(kind: Kind, item: Wire): string {
  if (kind === "message") return text(item["text"]) ?? "";
  const summary = texts(item["summary"]);
  return (summary.length > 0 ? summary : texts(item["content"])).join("\n\n");
}
