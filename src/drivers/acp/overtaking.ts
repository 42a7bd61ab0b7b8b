/**
 * What overtook the words before it. Some agents ask over a shorter way than they speak: the call is announced and asked about in the middle of the
 * message before it. Such an announcement is held back until more is told of a call, and a request until its call is announced.
 */
import type { RpcRequest } from "../json-rpc/index.ts";
import { record, text } from "./read.ts";
import type { Wire } from "./read.ts";

/** An update, and the message that it came in. */
export interface Told {
  readonly update: Wire;
  readonly message: Wire;
}

/** One that is never announced is asked about all the same, and a call after which nothing comes is told. */
const patienceMs = 1_000;

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
export function isAhead(update: Wire): boolean {
  return update["sessionUpdate"] === "tool_call" && Object.keys(record(update["rawInput"])).length > 0;
}

/** When one comes, the words before it are said. */
export function isOfCall(update: Wire): boolean {
  return text(update["sessionUpdate"])?.startsWith("tool_call") === true;
}
