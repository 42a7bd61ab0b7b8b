/** Calls that wait for Reins, and dialogs that wait for a person. pi has no judgement of its own, so this is where it is. */
import type { AgentEvent } from "../../events/types.ts";
import { isRecord, record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import type { Answer, HoldAnswer, PermissionAnswer, QuestionAnswer } from "../contract.ts";
import type { HoldReply } from "./hold-extension.ts";
import type { Places } from "./paths.ts";
import { dialogAnswer, questionOf } from "./questions.ts";
import { isAlways, isDenial, isStop, optionsWith } from "../shared/permission-options.ts";
import type { Rule } from "../shared/session-rules.ts";
import type { Rules } from "./rules.ts";
import { fileBefore, proposedDiff } from "./tools-files.ts";
import type { FileBefore } from "../shared/file-before.ts";
import { toolCall } from "./tools.ts";
import type { Calls } from "./translate-calls.ts";

interface HeldCall {
  /** The dialog that waits for an answer. */
  readonly dialogId: string;
  readonly callId: string;
  readonly nativeName: string;
  readonly input: unknown;
  readonly before: FileBefore | undefined;
}

type Pending =
  | { readonly kind: "hold"; readonly call: HeldCall }
  | { readonly kind: "permission"; readonly call: HeldCall; readonly rule: Rule }
  | { readonly kind: "question"; readonly body: Wire };

export interface PermissionsOptions extends Places {
  readonly rules: Rules;
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
  held(dialogId: string, body: Wire): AgentEvent[] {
    const { toolName, toolCallId, input = {} } = record(parsed(body["placeholder"]));
    const [nativeName, callId] = [text(toolName), text(toolCallId)];
    if (nativeName === undefined || callId === undefined) {
      this.#reply(dialogId, { decision: "deny" });
      return [];
    }
    const call = { dialogId, callId, nativeName, input, before: fileBefore(nativeName, input, this.#o) };
    this.#o.calls.held(callId, call.before);
    if (this.#o.rules.forbids(nativeName)) {
      this.#deny(call, `The tool ${nativeName} is not allowed here.`);
      return [];
    }
    this.#pending.set(dialogId, { kind: "hold", call });
    const { tool, title, locations } = toolCall(nativeName, input, this.#o);
    return [{ type: "tool.held", requestId: dialogId, callId, tool, nativeName, title, input, locations }];
  }

  /** Another extension asks a person. Between turns nobody is there. */
  asked(dialogId: string, body: Wire, running: boolean): AgentEvent[] {
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
        return void this.#holdAnswered(pending.call, answer as HoldAnswer);
      case "permission":
        return this.#permissionAnswered(pending.call, pending.rule, answer as PermissionAnswer);
      case "question":
        return this.#o.respond(requestId, dialogAnswer(pending.body, answer as QuestionAnswer));
      default:
    }
  }

  async #holdAnswered(call: HeldCall, { decision, message }: HoldAnswer): Promise<void> {
    const { rules } = this.#o;
    if (decision === "deny") return this.#deny(call, message);
    if (decision === "allow") return this.#allow(call, { fixed: false });
    if (decision === "defer" && (await rules.allows(call.nativeName, call.input))) return this.#allow(call);
    this.#ask(call, await rules.ruleFor(call.nativeName, call.input));
  }

  #ask(call: HeldCall, rule: Rule): void {
    const { callId, nativeName, input, before } = call;
    const requestId = `${call.dialogId}-ask`;
    this.#pending.set(requestId, { kind: "permission", call, rule });
    const { tool, title, locations } = toolCall(nativeName, input, this.#o);
    const diff = proposedDiff(before, nativeName, record(input), this.#o.cwd);
    const options = optionsWith(rule);
    this.#o.say([{ type: "permission.requested", requestId, callId, tool, title, input, locations, diff, options }]);
  }

  #permissionAnswered(call: HeldCall, rule: Rule, answer: PermissionAnswer): void {
    const { changedInput: changed, message } = answer;
    if (isDenial(answer)) {
      this.#deny(call, message);
      if (isStop(answer)) this.#o.stop();
      return;
    }
    if (changed !== undefined && !isRecord(changed))
      return this.#deny(call, "The changed input was not an object, so the tool did not run.");
    if (isAlways(answer)) this.#o.rules.allowAlways(rule);
    this.#allow(call, { input: changed });
  }

  #allow(call: HeldCall, { input, fixed = true }: { input?: Wire | undefined; fixed?: boolean } = {}): void {
    this.#allowed.add(call.callId);
    if (input !== undefined) {
      const before = fileBefore(call.nativeName, input, this.#o);
      this.#o.say(this.#o.calls.changed(call.callId, input, before));
    }
    this.#reply(call.dialogId, { decision: "allow", input, fixed });
  }

  #deny(call: HeldCall, reason: string | undefined): void {
    this.#o.calls.denied(call.callId);
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
