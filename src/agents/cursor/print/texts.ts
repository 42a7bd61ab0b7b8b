/**
 * Messages and thoughts of one turn. With partial output each segment comes twice, in pieces and then whole; otherwise
 * only whole. No field tells which it is, so a whole segment is compared with the pieces since the last one.
 */
import { randomUUID } from "node:crypto";
import type { AgentEvent } from "../../../events/types.ts";

type Kind = "message" | "thought";

export class PrintTexts {
  readonly #prefix = randomUUID().slice(0, 8);
  #count = 0;
  #open: { readonly kind: Kind; readonly messageId: string; said: string } | undefined;
  /** The pieces since the last whole segment; thoughts in between do not split them. */
  #pieces = "";
  /** Number of non-space characters in `#pieces`, while pieces are not marked. */
  #solid = 0;
  #segments = 0;
  /** Pieces are marked as such. */
  #streams = false;
  #all = "";
  /** The last whole segment; `parted` is true once something else came after it. */
  #last: { readonly text: string; readonly modelCall: string | undefined; parted: boolean } | undefined;

  get any(): boolean {
    return this.#all !== "";
  }

  piece(text: string): AgentEvent[] {
    if (text === "") return [];
    this.#streams = true;
    return this.#append(text);
  }

  /** A piece or a whole segment: older versions mark neither. */
  either(text: string): AgentEvent[] {
    if (this.#streams) return this.whole(text, undefined);
    if (text === "" || (this.#pieces === "" && this.#isRepeated(text, undefined, ""))) return [];
    const solid = text.replaceAll(/\s/g, "").length;
    // Compare lengths first: comparing all pieces with each new one would take ever longer.
    if (solid !== this.#solid || this.#pieces.trim() !== text.trim()) {
      this.#solid += solid;
      return this.#append(text);
    }
    this.#last = { text, modelCall: undefined, parted: false };
    this.#takePieces();
    return this.#end("message");
  }

  /** A whole segment. `modelCall` is the id of the model's answer, if reported. */
  whole(text: string, modelCall: string | undefined): AgentEvent[] {
    const pieces = this.#takePieces();
    if (text === "" || this.#isRepeated(text, modelCall, pieces)) return this.#end("message");
    this.#last = { text, modelCall, parted: false };
    this.#segments++;
    if (pieces === "") return this.#new(text);
    if (pieces.endsWith(text) || pieces.trim() === text.trim()) return this.#end("message");
    if (text.startsWith(pieces)) {
      const rest = text.slice(pieces.length);
      this.#all += rest;
      return [...this.#delta("message", rest), ...this.#end("message")];
    }
    // The model retried and said something else: the whole segment counts.
    if (this.#open?.said !== pieces) return this.#end("message");
    this.#all = this.#all.slice(0, -pieces.length);
    return [...this.#discard(), ...this.#new(text)];
  }

  thought(text: string): AgentEvent[] {
    this.#part();
    return text === "" ? [] : this.#delta("thought", text);
  }

  /** `text`: the whole thought, when it did not come in pieces. */
  thoughtOver(text: string): AgentEvent[] {
    const told = this.#open?.kind === "thought" ? [] : this.thought(text);
    return [...told, ...this.#end("thought")];
  }

  /** The model starts its answer again, so the text streamed so far is discarded. */
  again(): AgentEvent[] {
    if (this.#open?.kind !== "message") return this.#close();
    this.#all = this.#all.slice(0, this.#all.length - this.#open.said.length);
    this.#takePieces();
    return this.#discard();
  }

  /** Something else follows, so the streamed text is complete. */
  ended(): AgentEvent[] {
    this.#part();
    // Only marked pieces come again as a whole after something else.
    if (!this.#streams) this.#takePieces();
    return this.#close();
  }

  #takePieces(): string {
    const pieces = this.#pieces;
    this.#pieces = "";
    this.#solid = 0;
    return pieces;
  }

  #part(): void {
    if (this.#last !== undefined) this.#last.parted = true;
  }

  #close(): AgentEvent[] {
    return [...this.#end("message"), ...this.#end("thought")];
  }

  /** True for the same segment again, or at the very end for all the text of the turn. */
  #isRepeated(text: string, modelCall: string | undefined, pieces: string): boolean {
    const last = this.#last;
    const isSameAnswer = modelCall !== undefined && last?.modelCall === modelCall;
    if (last?.text === text && (isSameAnswer || (!last.parted && pieces === ""))) return true;
    return this.#streams && this.#segments > 1 && text === this.#all;
  }

  #new(text: string): AgentEvent[] {
    this.#all += text;
    return [...this.#close(), { type: "message.completed", messageId: this.#nextId(), text }];
  }

  #append(text: string): AgentEvent[] {
    this.#pieces += text;
    this.#all += text;
    return this.#delta("message", text);
  }

  #delta(kind: Kind, text: string): AgentEvent[] {
    const before = this.#open?.kind === kind ? [] : this.#close();
    this.#open ??= { kind, messageId: this.#nextId(), said: "" };
    this.#open.said += text;
    return [...before, { type: `${kind}.delta`, messageId: this.#open.messageId, text }];
  }

  #end(kind: Kind): AgentEvent[] {
    if (this.#open?.kind !== kind) return [];
    const { messageId, said: text } = this.#open;
    this.#open = undefined;
    return [{ type: `${kind}.completed`, messageId, text }];
  }

  #discard(): AgentEvent[] {
    const messageId = this.#open?.messageId;
    this.#open = undefined;
    return messageId === undefined ? [] : [{ type: "message.discarded", messageId, reason: "retry" }];
  }

  #nextId(): string {
    return `${this.#prefix}-m${++this.#count}`;
  }
}
