/** What Qwen Code asks of us, as events; and our answers, as it wants them. Each request is answered once. */
import { isRecord, record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import type { AgentEvent, AgentEventOf, Question } from "../../events/types.ts";
import type { Answer, HoldAnswer, PermissionAnswer, QuestionAnswer } from "../contract.ts";
import { offersFor } from "./permission-options.ts";
import type { Offer } from "./permission-options.ts";
import { proposedDiff } from "../shared/proposed-diff.ts";
import { answeredInput, questionsOf } from "../shared/questions.ts";
import { canonicalTool, toolCall } from "./tools.ts";

/** The ways an answer goes back: over the wire, or as the answer to a hook. */
export interface Reply {
  /** `input`: run it with this instead; false when that cannot be said this way. */
  allow(input?: Wire): boolean;
  deny(message: string): void;
}

/** A tool that waits for an answer, and whose it is. */
export interface Waiting {
  readonly requestId: string;
  readonly callId: string;
  readonly nativeName: string;
  readonly input: Wire;
  /** The task call of the subagent that makes it. */
  readonly parent: string | undefined;
}

type Pending =
  | { readonly kind: "hold"; readonly waiting: Waiting; readonly decide: (answer: HoldAnswer) => void }
  | { readonly kind: "permission"; readonly waiting: Waiting; readonly offers: readonly Offer[]; readonly reply: Reply }
  | {
      readonly kind: "question";
      readonly waiting: Waiting;
      readonly questions: readonly Question[];
      readonly reply: Reply;
    };

export interface PermissionsOptions {
  readonly cwd: string;
  /** The mode it is in, in its own words. */
  readonly nativeMode: () => string | undefined;
  /** A tool runs with another input than the model wanted, or not at all. */
  readonly onAnswer: (callId: string, answer: { changedInput?: Wire | undefined; denied?: boolean }) => void;
  /** A no that ends the turn too. */
  readonly onStop: () => void;
  /** A yes that puts it into a wider mode of its own. */
  readonly onMode: (nativeMode: string) => void;
}

export class Permissions {
  readonly #options: PermissionsOptions;
  readonly #pending = new Map<string, Pending>();

  constructor(options: PermissionsOptions) {
    this.#options = options;
  }

  /** It waits for the policy's word, whatever the agent's own rules say. */
  held(waiting: Waiting, decide: (answer: HoldAnswer) => void): AgentEvent[] {
    const { requestId, callId, input, parent } = waiting;
    this.#pending.set(requestId, { kind: "hold", waiting, decide });
    const { tool, nativeName, title, locations, mcp } = this.#call(waiting);
    return [{ type: "tool.held", requestId, callId, tool, nativeName, title, input, locations, mcp, parent }];
  }

  /** Somebody is to be asked. */
  asked(waiting: Waiting, reply: Reply, reason?: string): AgentEvent[] {
    const { requestId, callId, input, parent } = waiting;
    const { tool, nativeName, kind, title, locations, mcp } = this.#call(waiting);
    if (tool === "question") {
      const questions = questionsOf(input);
      this.#pending.set(requestId, { kind: "question", waiting, questions, reply });
      return [{ type: "question.requested", requestId, callId, questions, parent }];
    }
    const offers = offersFor(kind, this.#options.nativeMode());
    this.#pending.set(requestId, { kind: "permission", waiting, offers, reply });
    const diff = proposedDiff(canonicalTool(nativeName), input, this.#options.cwd);
    const options = offers.map(({ option }) => option);
    return [
      {
        type: "permission.requested",
        requestId,
        callId,
        tool,
        title,
        input,
        reason,
        locations,
        diff,
        mcp,
        options,
        parent,
      },
    ];
  }

  /** The agent no longer waits for it. */
  withdrawn(requestId: string, by: "agent" | "deadline" = "agent"): AgentEvent[] {
    const pending = this.#pending.get(requestId);
    this.#pending.delete(requestId);
    if (pending === undefined || pending.kind === "hold") return [];
    const outcome = by === "deadline" && pending.kind === "permission" ? "denied" : "cancelled";
    const type = pending.kind === "permission" ? "permission.resolved" : "question.resolved";
    return [{ type, requestId, outcome, by } as AgentEventOf<"permission.resolved" | "question.resolved">];
  }

  /** It does not say when it gives a request up: a call that ended waits for nothing. */
  callEnded(callId: string): AgentEvent[] {
    const ids = [...this.#pending].filter(([, { waiting }]) => waiting.callId === callId).map(([id]) => id);
    return ids.flatMap((id) => this.withdrawn(id));
  }

  /** False when nothing waits for it any more. */
  answer(requestId: string, answer: Answer): boolean {
    const pending = this.#pending.get(requestId);
    this.#pending.delete(requestId);
    switch (pending?.kind) {
      case "hold":
        pending.decide(answer as HoldAnswer);
        return true;
      case "permission":
        this.#permission(answer as PermissionAnswer, pending.waiting, pending.offers, pending.reply);
        return true;
      case "question":
        question(answer as QuestionAnswer, pending.waiting.input, pending.questions, pending.reply);
        return true;
      case undefined:
        return false;
    }
  }

  #permission(answer: PermissionAnswer, waiting: Waiting, offers: readonly Offer[], reply: Reply): void {
    const wanted = answer.decision === "allow" ? "allow" : "reject";
    const chosen =
      offers.find(({ option }) => option.id === answer.optionId && option.kind.startsWith(wanted)) ??
      (answer.always === true ? offers.find(({ option }) => option.kind === `${wanted}_always`) : undefined);
    if (answer.decision === "deny") {
      this.#deny(waiting, reply, answer.message ?? "This was not allowed.");
      if (answer.stop === true || chosen?.stop === true) this.#options.onStop();
      return;
    }
    const { changedInput } = answer;
    if (changedInput !== undefined && !isRecord(changedInput))
      return this.#deny(waiting, reply, "The changed input was not an object, so the tool did not run.");
    if (!reply.allow(changedInput)) return this.#deny(waiting, reply, "The input of this tool cannot be changed.");
    if (changedInput !== undefined) this.#options.onAnswer(waiting.callId, { changedInput });
    if (chosen?.nativeMode !== undefined) this.#options.onMode(chosen.nativeMode);
  }

  #deny({ callId }: Waiting, reply: Reply, message: string): void {
    this.#options.onAnswer(callId, { denied: true });
    reply.deny(message);
  }

  #call({ nativeName, input }: Waiting) {
    return toolCall(nativeName, input, this.#options.cwd);
  }
}

function question(answer: QuestionAnswer, input: Wire, questions: readonly Question[], reply: Reply): void {
  // On the wire an answer stands under the place of its question.
  if (answer.decision === "answer")
    reply.allow(answeredInput(input, questions, answer.answers ?? {}, (_, place) => String(place)));
  else reply.deny(answer.message ?? "The question was skipped.");
}

/** The fields of a `can_use_tool` request. */
export function waitingOn(requestId: string, request: Wire, parent: string | undefined): Waiting {
  return {
    requestId,
    callId: text(request["tool_use_id"]) ?? requestId,
    nativeName: text(request["tool_name"]) ?? "",
    input: record(request["input"]),
    parent,
  };
}
