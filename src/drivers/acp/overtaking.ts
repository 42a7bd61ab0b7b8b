/**
 * Permissions and questions that overtook what was said before them. Some agents ask over a shorter way than they speak: the call is asked about
 * in the middle of the message that announces it. Such a request is held back until the call is announced.
 */
import type { RpcRequest } from "../json-rpc/index.ts";
import { record } from "./read.ts";

/** One that is never announced is asked about all the same. */
const patienceMs = 1_000;

export class Overtaking {
  readonly #held = new Map<string, { readonly request: RpcRequest; readonly timer: NodeJS.Timeout }>();

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
