/** Text as it streams. ACP has no end of a message and often no id: a message is a run of text, until something else happens. */
import type { AgentEventOf, Content } from "../../events/types.ts";
import type { Out, RpcRequest } from "../json-rpc/index.ts";
import { record, text } from "../json.ts";
import type { JsonObject } from "../json.ts";

type Kind = "message" | "thought";

/**
 * A longer run is not held twice: it is far over what the core keeps of a message anyway, and the core then ends it itself.
 */
const longestHeld = 1024 * 1024;

export class Texts {
  readonly #prefix: string;
  /** The end of a message is told: one that another follows without it does not count. */
  readonly #endsTold: boolean;
  #whole = false;
  #count = 0;
  /** The run that streams; `id` is empty when none does. */
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

  /** Part of a message that is not text. */
  block(nativeId: unknown, parent: string | undefined, content: Content, out: Out): void {
    this.#goOn("message", nativeId, parent, out);
    (this.#content ??= []).push(content);
  }

  /** Something else happens: the run is over. */
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

  /** The message that streams now is whole. */
  whole(): void {
    this.#whole = true;
  }

  /** The message that streams now does not count. */
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
   * What has no id is said by the agent itself, perhaps in the middle of a message, and is no other message of the model. Of a subagent's
   * messages no end is told.
   */
  #isBrokenOff(nextId: unknown, parent: string | undefined): boolean {
    if (!this.#endsTold || this.#whole || parent !== undefined || this.#parent !== undefined) return false;
    return nextId !== this.#nativeId && nextId !== undefined && this.#nativeId !== undefined;
  }
}

/** An update, and the message that it came in. */
export interface Told {
  readonly update: JsonObject;
  readonly message: JsonObject;
}

/** One that is never announced is asked about all the same, and a call after which nothing comes is told. */
const patienceMs = 1_000;

/**
 * Updates that overtook the text before them. Some agents ask over a shorter way than they speak: the call is announced and asked about in
 * the middle of the message before it. Such an announcement is held until more is told of a call, and a request until its call is announced.
 */
export class Overtaking {
  readonly #held = new Map<string, { readonly request: RpcRequest; readonly timer: NodeJS.Timeout }>();

  #calls: Told[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** `late`: it is told now, whatever comes. */
  holdCall(told: Told, late: () => void): void {
    this.#calls.push(told);
    this.#timer ??= setTimeout(late, patienceMs);
  }

  takeCalls(): readonly Told[] {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return this.#calls.splice(0);
  }

  /** `late`: it is asked about now, announced or not. */
  hold(request: RpcRequest, late: () => void): void {
    const timer = setTimeout(() => {
      this.#held.delete(request.id);
      late();
    }, patienceMs);
    this.#held.set(request.id, { request, timer });
  }

  /** Those whose call is announced by now. */
  announced(knows: (callId: unknown) => boolean): readonly RpcRequest[] {
    return this.#take((request) => knows(callIn(request)));
  }

  /** Nobody is to be asked any more. */
  dropped(requestId?: string): readonly RpcRequest[] {
    return this.#take(({ id }) => requestId === undefined || id === requestId);
  }

  #take(wanted: (request: RpcRequest) => boolean): readonly RpcRequest[] {
    const taken = [...this.#held.values()].filter(({ request }) => wanted(request));
    for (const { request, timer } of taken) {
      clearTimeout(timer);
      this.#held.delete(request.id);
    }
    return taken.map(({ request }) => request);
  }
}

/** The call that it is about, where it says so. */
export function callIn({ params }: RpcRequest): unknown {
  const { toolCall, toolCallId } = record(params);
  return record(toolCall)["toolCallId"] ?? toolCallId;
}

/** A call that is announced with all of its input did not come with the words: there it has none yet. */
export function isAhead(update: JsonObject): boolean {
  return update["sessionUpdate"] === "tool_call" && Object.keys(record(update["rawInput"])).length > 0;
}

/** When one comes, the words before it are said. */
export function isOfCall(update: JsonObject): boolean {
  return text(update["sessionUpdate"])?.startsWith("tool_call") === true;
}
