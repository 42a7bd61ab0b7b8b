/** Requests of Qwen Code: tools that wait in a hook, permissions in a hook or over the wire, questions. */
import { toolKinds } from "../../events/tools.ts";
import type { AgentEvent } from "../../events/types.ts";
import { record, text, type JsonObject } from "../../protocols/json.ts";
import { AgentRequests, type FinalAnswer, type NativeOption, type ParsedRequest } from "../../protocols/requests.ts";
import type { StreamJson } from "../../protocols/stream-json/index.ts";
import { answeredInput, optionsAround, requestFor } from "../shared/requests.ts";
import { Relay, allowed, ask, isSubagents, refused, run, stop, type Reply } from "./hooks.ts";
import { canonicalTool, toolCall } from "./tools.ts";
import type { Translator } from "./translate.ts";

export interface Waiting {
  readonly requestId: string;
  readonly callId: string;
  readonly nativeName: string;
  readonly input: JsonObject;
  /** The task call of the subagent that makes this call. */
  readonly parent: string | undefined;
}

export type QwenRequest =
  | { readonly waiting: Waiting; readonly decide: (answer: FinalAnswer) => void }
  | { readonly waiting: Waiting; readonly reply: Reply; readonly reason?: string | undefined }
  /** A wire request that Reins does not support. */
  | { readonly id: string; readonly subtype: string };

export interface RequestsOptions {
  readonly cwd: string;
  readonly translator: Translator;
  readonly onStop: () => void;
  /** Called when an approval changes the program to a wider mode of its own. */
  readonly onMode: (nativeMode: string) => void;
  readonly stream: Pick<StreamJson, "refuse">;
}

/** The choice of an option is the program's mode from then on. */
export function qwenRequests(options: RequestsOptions): AgentRequests<QwenRequest, string> {
  return new AgentRequests<QwenRequest, string>({
    name: "Qwen Code",
    parse: (native) => ("waiting" in native ? parsed(native, options) : undefined),
    refuse: (native) => {
      if ("waiting" in native) return native.waiting.nativeName;
      options.stream.refuse(native.id, "Reins does not support this request.");
      return native.subtype;
    },
    reply: (request, answer, native) => {
      if ("decide" in native) native.decide(answer);
      else if ("reply" in native) reply(request, answer, native, options);
    },
  });
}

function parsed(
  native: Extract<QwenRequest, { waiting: Waiting }>,
  { cwd, translator }: RequestsOptions,
): ParsedRequest<string> {
  const { requestId: id, callId, nativeName, input, parent } = native.waiting;
  const call = toolCall(nativeName, input, cwd);
  if ("reply" in native) {
    const asked = { id, callId, input, parent, reason: native.reason };
    // The wire has only allow and deny; for edits an allow may also widen the program's mode.
    const isWidened = call.kind === "edit" && translator.session.nativeMode === "default";
    return requestFor(asked, call, optionsAround(isWidened ? [alwaysEdits] : []), cwd);
  }
  const { kind: _kind, ...held } = call;
  return { id, kind: "hold", call: { callId, ...held, input, parent } };
}

function reply(
  request: ParsedRequest<string>,
  answer: FinalAnswer<string>,
  { waiting: { callId, input }, reply: to }: Extract<QwenRequest, { reply: Reply }>,
  { translator: { calls }, onStop, onMode }: RequestsOptions,
): void {
  const refuse = (message: string, why: "denied" | "cancelled" = "denied"): void => {
    calls.stopped(callId, why);
    to.deny(message);
  };
  switch (answer.decision) {
    case "allow":
      if (!to.allow(answer.input)) return refuse("The input of this tool cannot be changed.");
      if (answer.input !== undefined) calls.runsWith(callId, answer.input);
      if (answer.option?.choice !== undefined) onMode(answer.option.choice);
      return;
    case "answer": {
      const questions = request.kind === "question" ? request.questions : [];
      // The wire format has each answer under the index of its question.
      to.allow(answeredInput(input, questions, answer.answers, (_, position) => String(position)));
      return;
    }
    case "skip":
      return to.deny(answer.message ?? "The question was skipped.");
    case "cancel":
      return refuse(answer.message, "cancelled");
    default:
      refuse(answer.message ?? "This was not allowed.");
      if (answer.decision === "deny" && answer.stop) onStop();
  }
}

const alwaysLabel = "Always allow edits in this session";
const alwaysEdits: NativeOption<string> = {
  option: { id: "always-edits", kind: "allow_always", label: alwaysLabel, scope: "session", rule: "edits" },
  choice: "auto-edit",
};

export interface HeldToolsOptions {
  readonly translator: Translator;
  readonly requests: AgentRequests<QwenRequest, string>;
  readonly prefix: string;
  readonly raw?: boolean | undefined;
  readonly stream: Pick<StreamJson, "say" | "respond">;
}

/** A hook may arrive this long before the line that describes its call. */
const aheadMs = 1_000;

interface Hook {
  readonly id: string;
  /** Set once the call is known. */
  callId?: string | undefined;
  readonly no: (why: string) => object;
  /** Continues over the wire when the hook must not wait any longer. */
  readonly relay?: Relay | undefined;
  readonly requests: string[];
}

/** Calls that wait in a hook: for the policy, or for a person when a subagent would not ask. */
export class HeldTools {
  readonly #options: HeldToolsOptions;
  /** Permissions of the main conversation, by call. */
  readonly #relays = new Map<string, Relay>();
  readonly #waiting = new Map<string, Hook>();
  #count = 0;
  #heard = Promise.withResolvers<void>();

  constructor(options: HeldToolsOptions) {
    this.#options = options;
  }

  heard(): void {
    this.#heard.resolve();
    this.#heard = Promise.withResolvers();
  }

  /** Answers the hooks that wait and have not become requests yet. */
  release(why: string): void {
    for (const hook of this.#waiting.values()) {
      if (hook.callId !== undefined) this.#options.translator.calls.stopped(hook.callId, "cancelled");
      this.#reply(hook, hook.no(why));
    }
  }

  turnEnded(): void {
    this.#relays.clear();
  }

  /** `late`: the hook was denied at the deadline, or is asked over the wire from now on. */
  withdrawn(hookId: string, late: boolean): AgentEvent[] {
    const hook = this.#waiting.get(hookId);
    this.#waiting.delete(hookId);
    if (hook === undefined) return [];
    if (late && hook.relay !== undefined) {
      hook.relay.wait();
      return [];
    }
    return hook.requests.flatMap((id) => this.#options.requests.withdrawn(id, late ? "deadline" : "agent"));
  }

  /** Handles the hook before a tool runs. */
  async held(hookId: string, input: JsonObject): Promise<void> {
    const { translator, requests } = this.#options;
    const callId = text(input["tool_call_id"]) ?? text(input["tool_use_id"]) ?? "";
    const nativeName = text(input["tool_name"]) ?? "";
    const given = record(input["tool_input"]);
    const hook: Hook = { id: hookId, callId, no: stop, requests: [] };
    this.#waiting.set(hookId, hook);
    if (!(await this.#known(hook, () => translator.calls.find(callId) !== undefined))) return;
    const parent = translator.calls.find(callId)?.parent ?? this.#parentOf(input);
    translator.calls.runsWith(callId, given, nativeName);
    this.#relays.delete(callId);
    const waiting: Waiting = { requestId: this.#nextId(hook), callId, nativeName, input: given, parent };
    this.#say(requests.received({ waiting, decide: (answer) => this.#decide(answer, waiting, hook) }), input);
  }

  /**
   * Handles a request of the program's own rules. In a hook the answer may change the input, which the wire cannot do;
   * but a hook waits less than a minute. Then a subagent is denied, and the main conversation asks over the wire.
   */
  async asked(hookId: string, input: JsonObject): Promise<void> {
    const { translator, requests, stream } = this.#options;
    const nativeName = text(input["tool_name"]) ?? "";
    // A question can only be answered over the wire.
    if (canonicalTool(nativeName) === "question") return void stream.respond(hookId, run);
    const given = record(input["tool_input"]);
    const parent = this.#parentOf(input);
    const find = () => translator.calls.alike(nativeName, given, parent, (callId) => this.#relays.has(callId));
    const relay = new Relay({
      allow: (updatedInput) => this.#reply(hook, allowed(updatedInput)),
      deny: (message) => void this.#reply(hook, refused(message)),
    });
    const hook: Hook = { id: hookId, no: refused, relay: isSubagents(input) ? undefined : relay, requests: [] };
    this.#waiting.set(hookId, hook);
    if (!(await this.#known(hook, () => find() !== undefined))) return;
    const callId = find()?.callId;
    if (callId === undefined && !isSubagents(input)) return void this.#reply(hook, run);
    hook.callId = callId;
    if (callId !== undefined) this.#relays.set(callId, relay);
    const requestId = this.#nextId(hook);
    const waiting = { requestId, callId: callId ?? requestId, nativeName, input: given, parent };
    this.#say(requests.received({ waiting, reply: relay }), input);
  }

  /** Takes the same permission over the wire, so that the person is not asked twice. */
  goesOn(callId: string, reply: Reply): boolean {
    const relay = this.#relays.get(callId);
    this.#relays.delete(callId);
    relay?.goOn(reply);
    return relay !== undefined;
  }

  #decide(answer: FinalAnswer, waiting: Waiting, hook: Hook): void {
    const { translator, requests, stream } = this.#options;
    const decision = answer.decision === "defer" ? this.#whereItsRulesFallShort(waiting) : answer.decision;
    const message = "message" in answer ? answer.message : undefined;
    if (decision === "deny" || decision === "cancel") {
      translator.calls.stopped(waiting.callId, decision === "deny" ? "denied" : "cancelled");
      this.#reply(hook, stop(message ?? "This tool is not allowed here."));
    } else if (decision === "ask" && waiting.parent !== undefined) {
      const own: Reply = {
        // The input cannot be changed any more.
        allow: (input) => input === undefined && this.#reply(hook, run),
        deny: (message) => void this.#reply(hook, stop(message)),
      };
      const again = { ...waiting, requestId: this.#nextId(hook) };
      stream.say(requests.received({ waiting: again, reply: own, reason: message }));
    } else {
      this.#reply(hook, decision === "ask" ? ask(message ?? "A person is to be asked.") : run);
    }
  }

  /** Rules for what the program does not ask: a subagent edits without asking, and in plan mode a rule of the user still allows edits. */
  #whereItsRulesFallShort({ nativeName, parent }: Waiting): "allow" | "deny" | "ask" {
    if (toolKinds[canonicalTool(nativeName)] !== "edit") return "allow";
    const { nativeMode } = this.#options.translator.session;
    if (nativeMode === "plan") return "deny";
    return parent !== undefined && nativeMode === "default" ? "ask" : "allow";
  }

  /** False when the hook has its answer or no longer waits. */
  #reply(hook: Hook, body: object): boolean {
    if (!this.#waiting.delete(hook.id)) return false;
    this.#options.stream.respond(hook.id, body);
    return true;
  }

  #nextId(hook: Hook): string {
    const id = `${this.#options.prefix}hook-${++this.#count}`;
    hook.requests.push(id);
    return id;
  }

  /** Waits for the line that describes a hook's call; false when the hook no longer waits. */
  async #known(hook: Hook, isKnown: () => boolean): Promise<boolean> {
    const until = AbortSignal.timeout(aheadMs);
    const late = new Promise<void>((resolve) => until.addEventListener("abort", () => resolve()));
    for (;;) {
      // A tool that is about to run confirms the answer that called it.
      this.#options.stream.say(this.#options.translator.settle());
      if (isKnown() || until.aborted || !this.#waiting.has(hook.id)) return this.#waiting.has(hook.id);
      await Promise.race([this.#heard.promise, late]);
    }
  }

  #say(events: readonly AgentEvent[], hook: JsonObject): void {
    this.#options.stream.say(this.#options.raw === true ? events.map((event) => ({ ...event, raw: hook })) : events);
  }

  #parentOf(input: JsonObject): string | undefined {
    const agentId = text(input["agent_id"]);
    return agentId === undefined ? undefined : this.#options.translator.calls.taskOf(agentId)?.callId;
  }
}
