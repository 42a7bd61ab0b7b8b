/** Calls that wait for the policy's word, and then perhaps for a person's. Whoever does not answer has said no. */
import { isRecord } from "../../../drivers/stream-json/read.ts";
import type { AgentEvent, PermissionOption } from "../../../events/types.ts";
import type { Answer, HoldAnswer, PermissionAnswer } from "../../contract.ts";
import { isDenial, isStop } from "../../shared/permission-options.ts";
import type { KnownCall } from "./calls.ts";

/** What a hook is told. `defer`: as Cursor itself would do. */
export interface Word {
  readonly decision: "allow" | "deny" | "defer";
  readonly message?: string | undefined;
  readonly changedInput?: Record<string, unknown> | undefined;
}

export interface GateOptions {
  readonly say: (events: readonly AgentEvent[]) => void;
  /** The turn is to end. */
  readonly stop: () => void;
  readonly deadlineMs: number;
  /** Unique among the legs of a session. */
  readonly prefix: string;
}

interface Waiting {
  readonly call: KnownCall;
  readonly changeable: boolean;
  readonly settle: (word: Word) => void;
  readonly isPermission: boolean;
}

const options: PermissionOption[] = [
  { id: "allow", kind: "allow_once", label: "Allow", scope: "once" },
  { id: "deny", kind: "reject_once", label: "Deny", scope: "once" },
  { id: "stop", kind: "reject_once", label: "Deny and stop", scope: "once" },
];

export class Gate {
  readonly #o: GateOptions;
  readonly #waiting = new Map<string, Waiting>();
  /** A person has said yes to these: they are not asked again. */
  readonly #approved = new Set<string>();
  #count = 0;
  #closed = false;

  constructor(given: GateOptions) {
    this.#o = given;
  }

  /** `changeable`: the hook can run it with another input. */
  async ask(call: KnownCall, changeable: boolean, gone: AbortSignal): Promise<Word> {
    if (this.#closed) return { decision: "deny", message: "The session is over." };
    const requestId = `${this.#o.prefix}-${++this.#count}`;
    const { promise, resolve } = Promise.withResolvers<Word>();
    const giveUp = (message: string): void => this.#giveUp(requestId, { decision: "deny", message }, resolve);
    const timer = setTimeout(() => giveUp("Nobody answered in time."), this.#o.deadlineMs);
    timer.unref();
    const onGone = (): void => giveUp("Nobody waits for the answer any more.");
    gone.addEventListener("abort", onGone, { once: true });
    this.#waiting.set(requestId, { call, changeable, settle: resolve, isPermission: false });
    const { tool, nativeName, title, locations, mcp, input } = call.call;
    this.#o.say([
      { type: "tool.held", requestId, callId: call.callId, tool, nativeName, title, input, locations, mcp },
    ]);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      gone.removeEventListener("abort", onGone);
    }
  }

  /** False where nothing waits for it: it was answered before, or is somebody else's. */
  answer(requestId: string, answer: Answer): boolean {
    const waiting = this.#waiting.get(requestId);
    if (waiting === undefined) return false;
    this.#waiting.delete(requestId);
    if (waiting.isPermission) this.#permission(waiting, answer as PermissionAnswer);
    else this.#word(requestId, waiting, answer as HoldAnswer);
    return true;
  }

  /** A person was asked about this call by a hook, and allowed it. */
  approved(callId: string): boolean {
    return this.#approved.has(callId);
  }

  /** Nothing waits beyond the end of a turn. */
  turnEnded(): void {
    this.#approved.clear();
    this.#denyAll("The turn is over.");
  }

  close(): void {
    this.#closed = true;
    this.#denyAll("The session is over.");
  }

  #denyAll(message: string): void {
    const all = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { settle } of all) settle({ decision: "deny", message });
  }

  #word(requestId: string, waiting: Waiting, { decision, message }: HoldAnswer): void {
    if (decision !== "ask") return waiting.settle({ decision, message });
    const { tool, title, input, locations, mcp } = waiting.call.call;
    const { callId } = waiting.call;
    const asked = `${requestId}-ask`;
    this.#waiting.set(asked, { ...waiting, isPermission: true });
    this.#o.say([
      { type: "permission.requested", requestId: asked, callId, tool, title, input, locations, mcp, options },
    ]);
  }

  #permission({ call, changeable, settle }: Waiting, answer: PermissionAnswer): void {
    const { changedInput: changed, message } = answer;
    if (isDenial(answer)) {
      settle({ decision: "deny", message });
      if (isStop(answer)) this.#o.stop();
      return;
    }
    if (changed === undefined) {
      this.#approved.add(call.callId);
      return settle({ decision: "allow" });
    }
    // What was approved is what runs, or nothing does.
    if (!changeable || !isRecord(changed))
      return settle({ decision: "deny", message: "It could not be run with the changed input, so it did not run." });
    this.#approved.add(call.callId);
    this.#o.say([{ type: "tool.progress", callId: call.callId, input: changed }]);
    settle({ decision: "allow", changedInput: changed });
  }

  #giveUp(requestId: string, word: Word, settle: (word: Word) => void): void {
    const asked = `${requestId}-ask`;
    const wasAsked = this.#waiting.delete(asked);
    if (!this.#waiting.delete(requestId) && !wasAsked) return;
    if (wasAsked) this.#o.say([{ type: "permission.resolved", requestId: asked, outcome: "cancelled", by: "agent" }]);
    settle(word);
  }
}
