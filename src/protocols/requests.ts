/** Requests of an agent: a call that waits for a decision (hold), a permission, a question. */
import type { AgentEvent, AgentEventOf, PermissionOption, Question } from "../events/types.ts";
import { isRecord, type JsonObject } from "./json.ts";

/** The call that a hold or a permission is about. */
export type RequestedCall = Omit<AgentEventOf<"tool.held">, "type" | "requestId">;

/** An option as the agent offers it. `choice` is the value to send when it is chosen; `stop` also ends the turn. */
export interface NativeOption<Choice = unknown> {
  readonly option: PermissionOption;
  readonly choice?: Choice | undefined;
  readonly stop?: boolean | undefined;
}

export type ParsedRequest<Choice = unknown> =
  | { readonly id: string; readonly kind: "hold"; readonly call: RequestedCall }
  | {
      readonly id: string;
      readonly kind: "permission";
      readonly call: RequestedCall;
      readonly options: readonly NativeOption<Choice>[];
      /** Set when it depends on the call whether the wire can carry a changed input. False: an answer that changes it is a denial. */
      readonly inputChangeable?: boolean | undefined;
      /** The wire does not name the call, so the end of `call` does not end this request. */
      readonly callGuessed?: true | undefined;
    }
  | {
      readonly id: string;
      readonly kind: "question";
      readonly questions: readonly Question[];
      readonly call?: Pick<AgentEventOf<"question.requested">, "callId" | "parent"> | undefined;
    };

/** The answer that goes over the wire, checked against the options that were offered. */
export type FinalAnswer<Choice = unknown> =
  | {
      readonly decision: "allow";
      /** The chosen option; none for a hold. */
      readonly option?: NativeOption<Choice> | undefined;
      /** Run the call with this input instead. */
      readonly input?: JsonObject | undefined;
      /** The mode allows such calls; nobody was asked about this one. */
      readonly unasked?: true | undefined;
      /** The option of Reins with which a person allowed the hold. */
      readonly optionId?: string | undefined;
      readonly message?: string | undefined;
    }
  | {
      readonly decision: "deny";
      readonly option?: NativeOption<Choice> | undefined;
      readonly message?: string | undefined;
      /** End the turn too. */
      readonly stop: boolean;
    }
  /** For holds of agents that judge calls themselves. */
  | { readonly decision: "ask" | "defer"; readonly message?: string | undefined }
  | { readonly decision: "answer"; readonly answers: Readonly<Record<string, string | readonly string[]>> }
  | { readonly decision: "skip"; readonly message?: string | undefined }
  /** The turn is being cancelled or is over: a call that does not run for this reason is `cancelled`, not `denied`. */
  | { readonly decision: "cancel"; readonly message: string };

/** Any answer of the agent contract: to a hold, a permission or a question. */
export interface GivenAnswer {
  readonly decision: "allow" | "deny" | "ask" | "defer" | "answer" | "skip";
  readonly always?: boolean | undefined;
  readonly optionId?: string | undefined;
  readonly changedInput?: unknown;
  readonly message?: string | undefined;
  readonly stop?: boolean | undefined;
  readonly unasked?: true | undefined;
  readonly cancelled?: boolean | undefined;
  readonly answers?: Readonly<Record<string, string | readonly string[]>> | undefined;
}

/** Converts requests and answers from and to one agent's wire format. */
export interface RequestWire<Native, Choice = unknown> {
  /** The agent's display name. */
  readonly name: string;
  /** Parses a wire message. Undefined: Reins does not support the request, which is then refused. Must not throw. */
  parse(native: Native): ParsedRequest<Choice> | undefined;
  /** Refuses an unsupported request, and returns a short description of it. */
  refuse(native: Native): string;
  /** Sends the final answer. Called once per request, unless the agent withdraws it. */
  reply(request: ParsedRequest<Choice>, answer: FinalAnswer<Choice>, native: Native): void;
  /** Reins judges the calls of this agent. A person may be asked about a hold, so its withdrawal is reported like that of a permission. */
  readonly asksAboutHolds?: boolean | undefined;
  /** Releases resources of a request whose call has ended. No answer is sent any more. */
  readonly abandon?: ((native: Native) => void) | undefined;
  /**
   * Loads details of a permission that take time, such as the text of a plan. The permission is asked, through `say`, once they are loaded.
   */
  readonly details?: ((request: ParsedRequest<Choice>) => Promise<RequestDetails> | undefined) | undefined;
  readonly say?: ((events: readonly AgentEvent[]) => void) | undefined;
}

export type RequestDetails = Pick<AgentEventOf<"permission.requested">, "input" | "reason" | "diff">;

/**
 * The pending requests of one session of an agent. Each is asked once and answered once.
 *
 * @example
 * const requests = new AgentRequests<WireRequest, JsonObject>({
 *   name: "Claude Code",
 *   parse: ({ id, body }) => ({ id, kind: "permission", call: callOf(body), options: optionsOf(body) }),
 *   refuse: ({ id, subtype }) => (stream.refuse(id, "Reins does not support this request."), subtype),
 *   reply: ({ id }, answer) => void stream.respond(id, responseTo(answer)),
 * });
 * openStreamJson({ onRequest: (request) => requests.received(request), onWithdrawn: (id) => requests.withdrawn(id), ... });
 * // AgentSession.answer
 * answer: (id, answer) => void requests.answer(id, answer);
 */
export class AgentRequests<Native, Choice = unknown> {
  readonly #wire: RequestWire<Native, Choice>;
  readonly #pending = new Map<string, { readonly request: ParsedRequest<Choice>; readonly native: Native }>();

  constructor(wire: RequestWire<Native, Choice>) {
    this.#wire = wire;
  }

  received(native: Native): AgentEvent[] {
    const request = this.#wire.parse(native);
    if (request === undefined) {
      const message = `${this.#wire.name} asked for ${this.#wire.refuse(native)}, which Reins does not support.`;
      return [{ type: "notice", level: "warning", code: "divergence", message }];
    }
    // Deduplicate: an agent may repeat a request that is still pending.
    if (this.#pending.has(request.id)) return [];
    this.#pending.set(request.id, { request, native });
    const details = this.#wire.details?.(request);
    if (details === undefined) return [requestEvent(request)];
    const ask = (found: object): void => {
      if (this.#pending.get(request.id)?.request !== request) return;
      this.#wire.say?.([{ ...requestEvent(request), ...found }]);
    };
    // Ask without the details rather than let the agent wait for ever.
    void details.then(ask, () => ask({}));
    return [];
  }

  /** Returns false when no request is pending under this id. */
  answer(id: string, given: GivenAnswer): boolean {
    return this.#reply(id, (request) => finalAnswer(request, given));
  }

  /** The agent no longer waits for an answer, or (`deadline`) has taken a denial instead. */
  withdrawn(id: string, by: "agent" | "deadline" = "agent"): AgentEvent[] {
    const kind = this.#pending.get(id)?.request.kind;
    this.#pending.delete(id);
    if (kind === "question") return [{ type: "question.resolved", requestId: id, outcome: "cancelled", by }];
    const outcome = by === "deadline" ? "denied" : "cancelled";
    const isAsked = kind === "permission" || (kind === "hold" && this.#wire.asksAboutHolds === true);
    return isAsked ? [{ type: "permission.resolved", requestId: id, outcome, by }] : [];
  }

  /** Drops pending requests of a call that ended, for agents that do not report when they give a request up. */
  callEnded(callId: string): AgentEvent[] {
    const isAbout = (request: ParsedRequest<Choice>): boolean =>
      request.call?.callId === callId && (request.kind !== "permission" || request.callGuessed !== true);
    return [...this.#pending.values()].flatMap(({ request, native }) => {
      if (!isAbout(request)) return [];
      this.#wire.abandon?.(native);
      return this.withdrawn(request.id);
    });
  }

  /** Answers all pending requests because the turn is being cancelled. */
  cancelAll(message = "The turn was cancelled."): void {
    for (const id of [...this.#pending.keys()]) this.#reply(id, () => ({ decision: "cancel", message }));
  }

  turnEnded(): void {
    this.cancelAll("The turn is over.");
  }

  #reply(id: string, answer: (request: ParsedRequest<Choice>) => FinalAnswer<Choice>): boolean {
    const pending = this.#pending.get(id);
    if (pending === undefined) return false;
    this.#pending.delete(id);
    this.#wire.reply(pending.request, answer(pending.request), pending.native);
    return true;
  }
}

function requestEvent(request: ParsedRequest): AgentEvent {
  const requestId = request.id;
  if (request.kind === "question") {
    const { callId, parent } = request.call ?? {};
    return { type: "question.requested", requestId, callId, questions: [...request.questions], parent };
  }
  if (request.kind === "hold") return { type: "tool.held", requestId, ...request.call };
  const { callId, tool, title, input, reason, locations, diff, mcp, parent } = request.call;
  const about = { callId, tool, title, input, reason, locations, diff, mcp };
  const { inputChangeable } = request;
  const options = request.options.map(({ option }) => option);
  return { type: "permission.requested", requestId, ...about, options, inputChangeable, parent };
}

function finalAnswer<Choice>(request: ParsedRequest<Choice>, given: GivenAnswer): FinalAnswer<Choice> {
  const { decision, message, changedInput, optionId, unasked } = given;
  if (given.cancelled === true) return { decision: "cancel", message: message ?? "The turn was cancelled." };
  if (request.kind === "question")
    return decision === "answer" ? { decision, answers: given.answers ?? {} } : { decision: "skip", message };
  if (request.kind === "hold" && (decision === "ask" || decision === "defer")) return { decision, message };
  const options = request.kind === "permission" ? request.options : [];
  const deny = (why: string | undefined): FinalAnswer<Choice> => {
    const option = rejection(given, options);
    const stop = given.stop === true || option?.stop === true || (request.kind === "hold" && optionId === "stop");
    return { decision: "deny", option, message: why, stop };
  };
  const isRejection = request.kind === "hold" && (optionId === "deny" || optionId === "stop");
  if (decision !== "allow" || isRejection) return deny(message);
  const option = permission(given, options);
  if (request.kind === "permission" && option === undefined) return deny("The chosen option was not offered.");
  if (changedInput === undefined) return { decision, option, unasked, optionId, message };
  if (!isRecord(changedInput)) return deny("The changed input was not an object, so the tool did not run.");
  if (request.kind === "permission" && request.inputChangeable === false)
    return deny("The input of this tool cannot be changed, so it did not run.");
  return { decision, option, input: changedInput, unasked, optionId, message };
}

type Options<Choice> = readonly NativeOption<Choice>[];

/** Never allows more than the user meant: an allow once does not become an allow always. */
function permission<Choice>({ optionId, always }: GivenAnswer, options: Options<Choice>) {
  const once = options.find(({ option }) => option.kind === "allow_once");
  if (optionId !== undefined)
    return options.find(({ option }) => option.id === optionId && option.kind.startsWith("allow"));
  return always === true ? (options.find(({ option }) => option.kind === "allow_always") ?? once) : once;
}

/** A denial stays a denial, whatever option it names. */
function rejection<Choice>({ optionId, always, stop, decision }: GivenAnswer, options: Options<Choice>) {
  const rejects = options.filter(({ option }) => option.kind.startsWith("reject"));
  const once = rejects.find(({ option }) => option.kind === "reject_once");
  const forGood = rejects.find(({ option }) => option.kind === "reject_always");
  return (
    (stop === true ? rejects.find((option) => option.stop) : undefined) ??
    rejects.find(({ option }) => option.id === optionId) ??
    (decision === "deny" && always === true ? (forGood ?? once) : (once ?? forGood))
  );
}
