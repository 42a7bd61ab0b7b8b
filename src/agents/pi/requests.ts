/** Calls that wait for Reins, and dialogs that wait for a person. pi has no rules of its own: Reins decides. */
import type { AgentEvent, Question } from "../../events/types.ts";
import { isRecord, record, text, texts } from "../../protocols/json.ts";
import type { JsonObject } from "../../protocols/json.ts";
import type { Answer, HoldAnswer, QuestionAnswer } from "../contract.ts";
import { isDenial, isStop } from "../shared/permission-options.ts";
import type { ToolNames } from "../shared/tool-filter.ts";
import type { HoldReply } from "./hold-extension.ts";
import { fileBefore, isOwnTool, proposedDiff, toolCall } from "./tools.ts";
import type { Places } from "./tools.ts";
import type { Calls } from "./translate-calls.ts";

interface HeldCall {
  /** The dialog that waits for an answer. */
  readonly dialogId: string;
  readonly callId: string;
  readonly nativeName: string;
}

type Pending =
  | { readonly kind: "hold"; readonly call: HeldCall }
  | { readonly kind: "question"; readonly body: JsonObject };

export interface PermissionsOptions extends Places {
  readonly names: ToolNames;
  readonly calls: Calls;
  /** Answers a dialog; without an answer it is closed. */
  readonly respond: (dialogId: string, answer: object | undefined) => void;
  readonly say: (events: readonly AgentEvent[]) => void;
  /** Ends the turn. */
  readonly stop: () => void;
}

export class Permissions {
  readonly #o: PermissionsOptions;
  readonly #pending = new Map<string, Pending>();
  /** Calls that were allowed to run. */
  readonly #allowed = new Set<string>();

  constructor(options: PermissionsOptions) {
    this.#o = options;
  }

  mayRun(callId: string): boolean {
    return this.#allowed.has(callId);
  }

  turnEnded(): void {
    this.#pending.clear();
    this.#allowed.clear();
  }

  /** Our extension asks about a call. */
  held(dialogId: string, body: JsonObject): AgentEvent[] {
    const { toolName, toolCallId, input = {} } = record(parsed(body["placeholder"]));
    const [nativeName, callId] = [text(toolName), text(toolCallId)];
    if (nativeName === undefined || callId === undefined) {
      this.#reply(dialogId, { decision: "deny" });
      return [];
    }
    const before = fileBefore(nativeName, input, this.#o);
    this.#o.calls.held(callId, before);
    this.#pending.set(dialogId, { kind: "hold", call: { dialogId, callId, nativeName } });
    const { tool, title, locations } = toolCall(nativeName, input, this.#o);
    const diff = proposedDiff(before, nativeName, record(input), this.#o.cwd);
    const filter = this.#o.names.filterOf(nativeName);
    const guessed = isOwnTool(nativeName) ? undefined : true;
    const held = { requestId: dialogId, callId, tool, nativeName, title, input, locations, diff, filter, guessed };
    return [{ type: "tool.held", ...held }];
  }

  /** Another extension asks a person. Between turns nobody is there. */
  asked(dialogId: string, body: JsonObject, running: boolean): AgentEvent[] {
    if (!running) {
      this.#o.respond(dialogId, undefined);
      return [];
    }
    this.#pending.set(dialogId, { kind: "question", body });
    return [{ type: "question.requested", requestId: dialogId, questions: [questionOf(body)] }];
  }

  answer(requestId: string, answer: Answer): void {
    const pending = this.#pending.get(requestId);
    this.#pending.delete(requestId);
    switch (pending?.kind) {
      case "hold":
        return this.#holdAnswered(pending.call, answer as HoldAnswer);
      case "question":
        return this.#o.respond(requestId, dialogAnswer(pending.body, answer as QuestionAnswer));
      default:
    }
  }

  #holdAnswered(call: HeldCall, answer: HoldAnswer): void {
    const { message, optionId, changedInput, unasked } = answer;
    if (isDenial(answer)) {
      this.#deny(call, message);
      if (isStop(answer)) this.#o.stop();
      return;
    }
    if (changedInput !== undefined && !isRecord(changedInput))
      return this.#deny(call, "The changed input was not an object, so the tool did not run.");
    // Who looked at this input allowed nothing else; a rule or a mode for everything does not mind.
    this.#allow(call, changedInput, unasked === true || optionId !== undefined);
  }

  #allow(call: HeldCall, input: JsonObject | undefined, fixed: boolean): void {
    this.#allowed.add(call.callId);
    if (input !== undefined) {
      const before = fileBefore(call.nativeName, input, this.#o);
      this.#o.say(this.#o.calls.inputChanged(call.callId, input, before));
    }
    this.#reply(call.dialogId, { decision: "allow", input, fixed });
  }

  #deny(call: HeldCall, reason: string | undefined): void {
    this.#o.calls.stopped(call.callId);
    this.#reply(call.dialogId, { decision: "deny", reason });
  }

  #reply(dialogId: string, reply: HoldReply): void {
    this.#o.respond(dialogId, { value: JSON.stringify(reply) });
  }
}

function parsed(json: unknown): unknown {
  try {
    return JSON.parse(String(json));
  } catch {
    return undefined;
  }
}

/** Dialogs of the person's own extensions, as questions. */

const id = "answer";

export function questionOf(body: JsonObject): Question {
  const title = text(body["title"]) ?? "An extension of pi asks.";
  const message = text(body["message"]);
  const asked = { id, text: message === undefined ? title : `${title}\n${message}`, multiple: false };
  switch (body["method"]) {
    case "select":
      return { ...asked, options: texts(body["options"]).map((label) => ({ label })) };
    case "confirm":
      return { ...asked, options: [{ label: "Yes" }, { label: "No" }] };
    default:
      return { ...asked, options: [], free: true };
  }
}

/** Undefined for a dialog that is closed without an answer. */
export function dialogAnswer(body: JsonObject, { decision, answers }: QuestionAnswer): object | undefined {
  const given = answers?.[id];
  const value = typeof given === "string" ? given : given?.[0];
  if (decision !== "answer" || value === undefined) return undefined;
  return body["method"] === "confirm" ? { confirmed: value === "Yes" } : { value };
}
