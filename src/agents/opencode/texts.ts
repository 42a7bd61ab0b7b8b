/** What a model says and thinks, part by part. Text is said once, though it comes in pieces and then whole. */
import type { AgentEvent } from "../../events/types.ts";

type Kind = "message" | "thought";

interface Text {
  readonly kind: Kind;
  readonly session: string;
  readonly parent: string | undefined;
  said: string;
}

export class Texts {
  readonly #open = new Map<string, Text>();
  readonly #ended = new Set<string>();

  begin(partId: string, text: Omit<Text, "said">): void {
    if (!this.#open.has(partId) && !this.#ended.has(partId)) this.#open.set(partId, { ...text, said: "" });
  }

  piece(partId: string, piece: string): AgentEvent[] {
    const open = this.#open.get(partId);
    if (open === undefined || piece === "") return [];
    open.said += piece;
    return [{ type: `${open.kind}.delta`, messageId: partId, text: piece, parent: open.parent }];
  }

  /** The whole so far: of what was lost on the way the rest is said. (Blanks at its end are taken away when it ends.) */
  whole(partId: string, text: string): AgentEvent[] {
    const said = this.#open.get(partId)?.said ?? "";
    return text.length > said.length && text.startsWith(said) ? this.piece(partId, text.slice(said.length)) : [];
  }

  end(partId: string): AgentEvent[] {
    const open = this.#open.get(partId);
    this.#ended.add(partId);
    this.#open.delete(partId);
    if (open === undefined || open.said === "") return [];
    return [{ type: `${open.kind}.completed`, messageId: partId, text: open.said, parent: open.parent }];
  }

  /** A tool is used: what was said before it is whole, though its end is told later. */
  endAll(session: string): AgentEvent[] {
    return this.#of(session).flatMap((partId) => this.end(partId));
  }

  /** The answer is asked for once more, and will be said again. */
  discardAll(session: string): AgentEvent[] {
    return this.#of(session).flatMap((partId): AgentEvent[] => {
      const { said, parent } = this.#open.get(partId)!;
      this.#open.delete(partId);
      this.#ended.add(partId);
      return said === "" ? [] : [{ type: "message.discarded", messageId: partId, reason: "retry", parent }];
    });
  }

  #of(session: string): string[] {
    return [...this.#open].filter(([, text]) => text.session === session).map(([partId]) => partId);
  }
}
