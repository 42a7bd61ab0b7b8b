/**
 * Restores the order of updates that overtook the text before them. Some agents send calls and permission requests on a faster path than
 * text, so both can arrive in the middle of the preceding message. An announcement is held until a further update of a call arrives, and a
 * request until its call is announced.
 */
import type { AgentEvent } from "../../events/types.ts";
import type { Out, RpcRequest } from "../json-rpc/index.ts";
import { record, text, type JsonObject } from "../json.ts";
import type { Translator } from "./translate.ts";

export interface ReceivedUpdate {
  readonly update: JsonObject;
  readonly message: JsonObject;
}

export interface MessageOrderOptions {
  readonly translator: Translator;
  readonly update: (received: ReceivedUpdate, out: Out) => void;
  readonly ask: (request: RpcRequest, out: Out) => void;
  readonly say: (events: readonly AgentEvent[]) => void;
}

/** After this time, held announcements and requests are passed on even if the awaited message has not arrived. */
const patienceMs = 1_000;

export class MessageOrder {
  readonly #o: MessageOrderOptions;
  readonly #requests = new Map<string, { readonly request: RpcRequest; readonly timer: NodeJS.Timeout }>();
  #updates: ReceivedUpdate[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(options: MessageOrderOptions) {
    this.#o = options;
  }

  holdUpdate(received: ReceivedUpdate): boolean {
    const { translator } = this.#o;
    const { update } = received;
    if (!translator.running || !isComplete(update) || translator.calls.knows(update["toolCallId"])) return false;
    if (translator.parentOf(update) !== undefined) return false;
    this.#updates.push(received);
    this.#timer ??= this.#later((out) => this.release(out));
    return true;
  }

  holdRequest(request: RpcRequest): boolean {
    const { calls, running } = this.#o.translator;
    const callId = callIn(request);
    if (callId === undefined || !running || calls.knows(callId)) return false;
    const timer = this.#later((out) => {
      this.#requests.delete(request.id);
      this.#o.ask(request, out);
    });
    this.#requests.set(request.id, { request, timer });
    return true;
  }

  /** Reports held announcements, because the text before them has ended. */
  releaseUpdates(out: Out): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const received of this.#updates.splice(0)) this.#o.update(received, out);
  }

  /** Passes on held requests whose call has now been announced. */
  releaseRequests(out: Out): void {
    const { calls } = this.#o.translator;
    for (const request of this.#take((one) => calls.knows(callIn(one)))) this.#o.ask(request, out);
  }

  release(out: Out): void {
    this.releaseUpdates(out);
    this.releaseRequests(out);
  }

  /** Removes one held request, or all, and returns the removed requests. */
  dropRequests(requestId?: string): readonly RpcRequest[] {
    return this.#take(({ id }) => requestId === undefined || id === requestId);
  }

  #later(release: (out: Out) => void): NodeJS.Timeout {
    return setTimeout(() => {
      const late: AgentEvent[] = [];
      release(late);
      this.#o.say(late);
    }, patienceMs);
  }

  #take(wanted: (request: RpcRequest) => boolean): readonly RpcRequest[] {
    const taken = [...this.#requests.values()].filter(({ request }) => wanted(request));
    for (const { request, timer } of taken) {
      clearTimeout(timer);
      this.#requests.delete(request.id);
    }
    return taken.map(({ request }) => request);
  }
}

function callIn({ params }: RpcRequest): unknown {
  const { toolCall, toolCallId } = record(params);
  return record(toolCall)["toolCallId"] ?? toolCallId;
}

/** An announcement that already has its input came on the faster path. Announcements that stream in order have no input yet. */
function isComplete(update: JsonObject): boolean {
  return update["sessionUpdate"] === "tool_call" && Object.keys(record(update["rawInput"])).length > 0;
}

/** True for updates of a tool call, which imply that the text before them has ended. */
export function isOfCall(update: JsonObject): boolean {
  return text(update["sessionUpdate"])?.startsWith("tool_call") === true;
}
