/** Calls that a hook holds: the policy decides first, then possibly a person. A hook without an answer is denied. */
import type { Mode } from "../../../events/modes.ts";
import { toolKinds } from "../../../events/tools.ts";
import type { AgentEvent } from "../../../events/types.ts";
import { AgentRequests, type FinalAnswer, type NativeOption, type ParsedRequest } from "../../../protocols/requests.ts";
import type { Answer } from "../../contract.ts";
import { optionsAround } from "../../shared/requests.ts";
import { program } from "../program.ts";
import type { KnownCall } from "./calls.ts";

/** The answer to a hook. With `defer`, Cursor decides as it would without the hook. */
export interface Verdict {
  readonly decision: "allow" | "deny" | "defer";
  readonly message?: string | undefined;
  readonly changedInput?: Readonly<Record<string, unknown>> | undefined;
}

/** Over ACP Cursor asks before commands, deletions, pages and MCP tools, but not before edits, so Reins asks about those. */
export interface EditApproval {
  readonly mode: () => Mode;
  /** The mode in which the user allowed all further edits of the session. */
  allowedIn: Mode | undefined;
}

export interface HookRequestsOptions {
  readonly say: (events: readonly AgentEvent[]) => void;
  readonly stop: () => void;
  readonly deadlineMs: number;
  /** Unique among the legs of a session. */
  readonly prefix: string;
  readonly edits?: EditApproval | undefined;
}

interface HeldCall {
  readonly requestId: string;
  readonly kind: "hold" | "permission";
  readonly call: KnownCall;
  /** The hook can run the call with another input. */
  readonly changeable: boolean;
  readonly settle: (verdict: Verdict) => void;
}

const options = optionsAround([]);
const alwaysEdit: NativeOption = {
  option: { id: "always", kind: "allow_always", label: "Allow all edits of this session", scope: "session" },
};

export class HookRequests {
  readonly #o: HookRequestsOptions;
  readonly #requests: AgentRequests<HeldCall>;
  /** Calls that a person allowed, so that they are not asked again. */
  readonly #approved = new Set<string>();
  readonly #denied = new Set<string>();
  #count = 0;
  #closed = false;

  constructor(given: HookRequestsOptions) {
    this.#o = given;
    this.#requests = new AgentRequests<HeldCall>({
      name: program.name,
      parse: (held) => this.#parse(held),
      refuse: ({ call }) => call.callId,
      reply: (_request, answer, held) => this.#reply(held, answer),
    });
  }

  async ask(call: KnownCall, changeable: boolean, gone: AbortSignal): Promise<Verdict> {
    if (this.#closed) return { decision: "deny", message: "The session is over." };
    const requestId = `${this.#o.prefix}-${++this.#count}`;
    const { promise, resolve: settle } = Promise.withResolvers<Verdict>();
    const giveUp = (message: string): void => {
      const events = [requestId, askId(requestId)].flatMap((id) => this.#requests.withdrawn(id));
      if (events.length > 0) this.#o.say(events);
      settle({ decision: "deny", message });
    };
    const timer = setTimeout(() => giveUp("Nobody answered in time."), this.#o.deadlineMs);
    timer.unref();
    const onGone = (): void => giveUp("Cursor no longer waits for the answer.");
    gone.addEventListener("abort", onGone, { once: true });
    this.#o.say(this.#requests.received({ requestId, kind: "hold", call, changeable, settle }));
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      gone.removeEventListener("abort", onGone);
    }
  }

  /** False when no hook waits for this answer. */
  answer(requestId: string, answer: Answer): boolean {
    return this.#requests.answer(requestId, answer);
  }

  approved(callId: string): boolean {
    return this.#approved.has(callId);
  }

  /** A call that was denied here failed for that reason, however Cursor reports it. */
  told(event: AgentEvent): AgentEvent {
    if ((event.type !== "tool.completed" && event.type !== "tool.failed") || !this.#denied.has(event.callId))
      return event;
    const { callId, parent } = event;
    const error = event.type === "tool.failed" ? event.error : { message: "It was not allowed." };
    return { type: "tool.failed", callId, error, reason: "denied", parent };
  }

  cancelAll(): void {
    this.#requests.cancelAll();
  }

  turnEnded(): void {
    this.#approved.clear();
    this.#denied.clear();
    this.#requests.turnEnded();
  }

  close(): void {
    this.#closed = true;
    this.#requests.cancelAll("The session is over.");
  }

  #parse({ requestId: id, kind, call, changeable }: HeldCall): ParsedRequest {
    const { kind: _, ...about } = call.call;
    const requested = { ...about, callId: call.callId };
    if (kind === "hold") return { id, kind, call: requested };
    const all = this.#asksEdits(call) ? [...options, alwaysEdit] : options;
    return { id, kind, call: requested, options: all, inputChangeable: changeable };
  }

  #reply(held: HeldCall, answer: FinalAnswer): void {
    const { call, settle } = held;
    const { callId } = call;
    const { edits, say, stop } = this.#o;
    if (answer.decision === "ask") return this.#askUser(held);
    if (answer.decision === "defer") {
      if (edits === undefined || !this.#asksEdits(call)) return settle({ decision: "defer", message: answer.message });
      return edits.allowedIn === edits.mode() ? settle({ decision: "allow" }) : this.#askUser(held);
    }
    if (answer.decision === "allow" && (answer.input === undefined || held.changeable)) {
      if (held.kind === "permission") this.#approved.add(callId);
      if (edits !== undefined && answer.option === alwaysEdit) edits.allowedIn = edits.mode();
      if (answer.input !== undefined) say([{ type: "tool.progress", callId, input: answer.input }]);
      return settle({ decision: "allow", changedInput: answer.input });
    }
    if (answer.decision === "deny") this.#denied.add(callId);
    settle({ decision: "deny", message: "message" in answer ? answer.message : undefined });
    if (answer.decision === "deny" && answer.stop) stop();
  }

  #askUser(held: HeldCall): void {
    this.#o.say(this.#requests.received({ ...held, requestId: askId(held.requestId), kind: "permission" }));
  }

  #asksEdits({ call }: KnownCall): boolean {
    return this.#o.edits !== undefined && toolKinds[call.tool] === "edit";
  }
}

const askId = (requestId: string): string => `${requestId}-ask`;
