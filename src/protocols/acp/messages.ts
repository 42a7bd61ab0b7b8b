/**
 * Assembles streamed text into messages. ACP marks no end of a message and often has no id, so a message is a run of text until something
 * else happens.
 */
import type { AgentEventOf, Content } from "../../events/types.ts";
import type { Out } from "../json-rpc/index.ts";

type Kind = "message" | "thought";

/** Stop collecting a longer run. The core keeps far less of a message and ends it itself. */
const longestHeld = 1024 * 1024;

export class Texts {
  readonly #prefix: string;
  /** The agent reports the end of each message (see `usageEndsMessages`). A message followed by another without that report was cut off. */
  readonly #endsTold: boolean;
  #whole = false;
  #count = 0;
  /** Empty while no message streams. */
  #id = "";
  #kind: Kind = "message";
  #nativeId: unknown;
  #parent: string | undefined;
  #said: string | undefined;
  #content: Content[] | undefined;

  constructor(prefix: string, endsTold: boolean) {
    this.#prefix = prefix;
    this.#endsTold = endsTold;
  }

  piece(kind: Kind, nativeId: unknown, parent: string | undefined, text: string, out: Out): void {
    this.#goOn(kind, nativeId, parent, out);
    if (this.#said !== undefined) {
      this.#said += text;
      if (this.#said.length > longestHeld) this.#said = undefined;
    }
    if (kind === "message") out.push({ type: "message.delta", messageId: this.#id, text, parent });
    else out.push({ type: "thought.delta", messageId: this.#id, text, parent });
  }

  block(nativeId: unknown, parent: string | undefined, content: Content, out: Out): void {
    this.#goOn("message", nativeId, parent, out);
    (this.#content ??= []).push(content);
  }

  end(out: Out): void {
    if (this.#id === "") return;
    const [messageId, text, content, parent] = [this.#id, this.#said, this.#content, this.#parent];
    this.#id = "";
    if (text === undefined) return;
    if (this.#kind === "thought") {
      out.push({ type: "thought.completed", messageId, text, parent });
      return;
    }
    const completed: AgentEventOf<"message.completed"> = { type: "message.completed", messageId, text, parent };
    if (content !== undefined) completed.content = content;
    out.push(completed);
  }

  whole(): void {
    this.#whole = true;
  }

  discard(out: Out): void {
    if (this.#id === "" || this.#kind === "thought") return;
    out.push({ type: "message.discarded", messageId: this.#id, reason: "retry", parent: this.#parent });
    this.#id = "";
  }

  #goOn(kind: Kind, nativeId: unknown, parent: string | undefined, out: Out): void {
    if (this.#id !== "" && kind === this.#kind && nativeId === this.#nativeId && parent === this.#parent) return;
    if (this.#isBrokenOff(nativeId, parent)) this.discard(out);
    this.end(out);
    this.#whole = false;
    this.#id = this.#prefix + ++this.#count;
    this.#kind = kind;
    this.#nativeId = nativeId;
    this.#parent = parent;
    this.#said = "";
    this.#content = undefined;
  }

  /**
   * Only compares two texts of the main agent that both have an id: text without an id comes from the agent itself, perhaps in the middle
   * of a message of the model, and ends of subagents' messages are not reported.
   */
  #isBrokenOff(nextId: unknown, parent: string | undefined): boolean {
    if (!this.#endsTold || this.#whole || parent !== undefined || this.#parent !== undefined) return false;
    return nextId !== this.#nativeId && nextId !== undefined && this.#nativeId !== undefined;
  }
}
