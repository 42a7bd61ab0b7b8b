/** Tools that wait in a hook: for the policy's word, and where the program itself would not ask for a subagent, for a person's. */
import { record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import { toolKinds } from "../../events/tools.ts";
import type { AgentEvent } from "../../events/types.ts";
import type { HoldAnswer } from "../contract.ts";
import { allowed, ask, isSubagents, refused, run, stop } from "./hook-answers.ts";
import type { Permissions, Reply, Waiting } from "./permissions.ts";
import type { FilesBefore } from "./files-before.ts";
import { Relay } from "./relay.ts";
import { canonicalTool } from "./tools.ts";
import type { Translator } from "./translate.ts";

export interface HeldToolsOptions {
  readonly translator: Translator;
  readonly permissions: Permissions;
  readonly before: FilesBefore;
  /** Goes before every requestId. */
  readonly prefix: string;
  /** Keep what the hook said beside each event. */
  readonly raw: boolean;
  readonly say: (events: readonly AgentEvent[]) => void;
  /** Answers a hook. */
  readonly respond: (hookId: string, body: object) => void;
}

/** How long a hook may be ahead of the line that says what it is about. */
const aheadMs = 1_000;

/** One hook that waits for its answer. */
interface Hook {
  readonly id: string;
  /** The call it is about, once that is known. */
  callId?: string | undefined;
  readonly no: (why: string) => object;
  /** Where it is asked on over the wire when the hook must not wait any longer. */
  readonly relay?: Relay | undefined;
  /** The requests that are made for it. */
  readonly requests: string[];
}

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

  /** A line came. */
  heard(): void {
    this.#heard.resolve();
    this.#heard = Promise.withResolvers();
  }

  /** Nothing waits any longer. */
  release(why: string): void {
    for (const hook of this.#waiting.values()) {
      if (hook.callId !== undefined) this.#options.translator.calls.stopped(hook.callId, "cancelled");
      this.#reply(hook, hook.no(why));
    }
    this.#relays.clear();
  }

  /** A hook no longer wants its answer: `late` when it was told no, or that it is asked another way. */
  withdrawn(hookId: string, late: boolean): AgentEvent[] {
    const hook = this.#waiting.get(hookId);
    this.#waiting.delete(hookId);
    if (hook === undefined) return [];
    if (late && hook.relay !== undefined) {
      hook.relay.wait();
      return [];
    }
    return hook.requests.flatMap((id) => this.#options.permissions.withdrawn(id, late ? "deadline" : "agent"));
  }

  /** A tool is about to run. */
  async held(hookId: string, input: Wire): Promise<void> {
    const { translator, before, permissions } = this.#options;
    const callId = text(input["tool_call_id"]) ?? text(input["tool_use_id"]) ?? "";
    const nativeName = text(input["tool_name"]) ?? "";
    const given = record(input["tool_input"]);
    const hook: Hook = { id: hookId, callId, no: stop, requests: [] };
    this.#waiting.set(hookId, hook);
    if (!(await this.#known(hook, () => translator.call(callId) !== undefined))) return;
    const parent = translator.call(callId)?.parent ?? this.#parentOf(input);
    translator.calls.changed(callId, given);
    before.look(callId, nativeName, given);
    this.#relays.delete(callId);
    const waiting: Waiting = { requestId: this.#nextId(hook), callId, nativeName, input: given, parent };
    this.#say(
      permissions.held(waiting, (answer) => this.#decide(answer, waiting, hook)),
      input,
    );
  }

  /**
   * The program's own rules want somebody's word. Asked here, the answer may change what the tool runs with, which is not so over
   * the wire; but here it waits less than a minute, and after that a subagent is told no, and the others are asked over the wire.
   */
  async asked(hookId: string, input: Wire): Promise<void> {
    const { translator, permissions, respond } = this.#options;
    const nativeName = text(input["tool_name"]) ?? "";
    // Only over the wire can it be answered.
    if (canonicalTool(nativeName) === "question") return respond(hookId, run);
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
    this.#say(permissions.asked(waiting, relay), input);
  }

  /** The same permission over the wire: whoever was asked goes on to be asked. */
  goesOn(callId: string, reply: Reply): boolean {
    const relay = this.#relays.get(callId);
    this.#relays.delete(callId);
    relay?.goOn(reply);
    return relay !== undefined;
  }

  #decide(answer: HoldAnswer, waiting: Waiting, hook: Hook): void {
    const { translator, permissions, say } = this.#options;
    const decision = answer.decision === "defer" ? this.#whereItsRulesFallShort(waiting) : answer.decision;
    if (decision === "deny") {
      translator.calls.stopped(waiting.callId, "denied");
      this.#reply(hook, stop(answer.message ?? "This tool is not allowed here."));
    } else if (decision === "ask" && waiting.parent !== undefined) {
      const own: Reply = {
        // What the tool runs with is settled by now.
        allow: (input) => input === undefined && this.#reply(hook, run),
        deny: (message) => void this.#reply(hook, stop(message)),
      };
      say(permissions.asked({ ...waiting, requestId: this.#nextId(hook) }, own, answer.message));
    } else {
      this.#reply(hook, decision === "ask" ? ask(answer.message ?? "A person is to be asked.") : run);
    }
  }

  /**
   * A subagent edits without asking, though the session asks; and while it plans, the program still makes the edits that a rule of
   * the person's allows.
   */
  #whereItsRulesFallShort({ nativeName, parent }: Waiting): "allow" | "deny" | "ask" {
    if (toolKinds[canonicalTool(nativeName)] !== "edit") return "allow";
    const { nativeMode } = this.#options.translator.session;
    if (nativeMode === "plan") return "deny";
    return parent !== undefined && nativeMode === "default" ? "ask" : "allow";
  }

  /** False when it has its answer already, or wants none. */
  #reply(hook: Hook, body: object): boolean {
    if (!this.#waiting.delete(hook.id)) return false;
    this.#options.respond(hook.id, body);
    return true;
  }

  #nextId(hook: Hook): string {
    const id = `${this.#options.prefix}hook-${++this.#count}`;
    hook.requests.push(id);
    return id;
  }

  /** Until the line came that says what a hook is about; false when the hook waits no longer. */
  async #known(hook: Hook, isKnown: () => boolean): Promise<boolean> {
    const until = AbortSignal.timeout(aheadMs);
    const late = new Promise<void>((resolve) => until.addEventListener("abort", () => resolve()));
    for (;;) {
      // It runs a tool, so the answer that called for it counts.
      this.#options.say(this.#options.translator.settle());
      if (isKnown() || until.aborted || !this.#waiting.has(hook.id)) return this.#waiting.has(hook.id);
      await Promise.race([this.#heard.promise, late]);
    }
  }

  #say(events: readonly AgentEvent[], hook: Wire): void {
    this.#options.say(this.#options.raw ? events.map((event) => ({ ...event, raw: hook })) : events);
  }

  #parentOf(input: Wire): string | undefined {
    const agentId = text(input["agent_id"]);
    return agentId === undefined ? undefined : this.#options.translator.calls.taskOf(agentId)?.callId;
  }
}
