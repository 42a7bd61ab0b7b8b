/** Tracks messages and thoughts that stream in pieces. Each is completed or discarded once. */
import type { AgentEvent } from "../../events/types.ts";

export interface StreamedText {
  readonly kind: "message" | "thought";
  readonly messageId: string;
  /** The agent's thread or conversation that the text belongs to. */
  readonly thread: string;
  /** The task call of the subagent that says this text. */
  readonly parent: string | undefined;
}

export class StreamedTexts<Text extends StreamedText = StreamedText> {
  readonly #reusesIds: boolean;
  readonly #open = new Map<string, { readonly text: Text; said: string }>();
  readonly #ended = new Set<string>();

  /** `reusesIds`: an id may begin again after it has ended. */
  constructor({ reusesIds = false }: { reusesIds?: boolean } = {}) {
    this.#reusesIds = reusesIds;
  }

  find(id: string): Text | undefined {
    return this.#open.get(id)?.text;
  }

  begin(id: string, text: Text): void {
    if (!this.#open.has(id) && !this.#ended.has(id)) this.#open.set(id, { text, said: "" });
  }

  piece(id: string, piece: string): AgentEvent[] {
    const open = this.#open.get(id);
    if (open === undefined || piece === "") return [];
    open.said += piece;
    const { kind, messageId, parent } = open.text;
    return [{ type: `${kind}.delta`, messageId, text: piece, parent }];
  }

  /** `whole` is all text so far. Reports the part that the pieces did not contain. */
  grew(id: string, whole: string): AgentEvent[] {
    const said = this.#open.get(id)?.said ?? "";
    return whole.length > said.length && whole.startsWith(said) ? this.piece(id, whole.slice(said.length)) : [];
  }

  /** `whole`, if given, replaces the text of the pieces. */
  end(id: string, whole = ""): AgentEvent[] {
    const open = this.#take(id);
    const text = whole || (open?.said ?? "");
    if (open === undefined || text === "") return [];
    const { kind, messageId, parent } = open.text;
    return [{ type: `${kind}.completed`, messageId, text, parent }];
  }

  /** Ends the open texts of a thread, or of all threads. */
  endAll(thread?: string): AgentEvent[] {
    return this.#of(thread).flatMap((id) => this.end(id));
  }

  /** Discards texts that are not part of the answer: the model repeats them, or was interrupted. */
  discardAll(thread: string, reason: "retry" | "steered"): AgentEvent[] {
    return this.#of(thread).flatMap((id): AgentEvent[] => {
      const { text, said } = this.#take(id)!;
      const { messageId, parent } = text;
      return said === "" ? [] : [{ type: "message.discarded", messageId, reason, parent }];
    });
  }

  #take(id: string) {
    const open = this.#open.get(id);
    this.#open.delete(id);
    if (!this.#reusesIds) this.#ended.add(id);
    return open;
  }

  #of(thread: string | undefined): string[] {
    return [...this.#open].filter(([, { text }]) => thread === undefined || text.thread === thread).map(([id]) => id);
  }
}
