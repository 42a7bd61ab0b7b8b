/** Tools that wait in a hook: for the policy's word, and where the program itself would not ask for a subagent, for a person's. */
import { record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import { toolKinds } from "../../events/tools.ts";
import type { AgentEvent } from "../../events/types.ts";
import type { HoldAnswer } from "../contract.ts";
import { hookMs } from "./hooks.ts";
import type { Permissions, Reply, Waiting } from "./permissions.ts";
import type { Before } from "./proposals.ts";
import { Relay } from "./relay.ts";
import { canonicalTool } from "./tools.ts";
import type { Translator } from "./translate.ts";

export interface HeldToolsOptions {
  readonly translator: Translator;
  readonly permissions: Permissions;
  readonly before: Before;
  /** Goes before every requestId. */
  readonly prefix: string;
  readonly say: (events: readonly AgentEvent[]) => void;
}

/** How long a hook may be ahead of the line that says what it is about. */
const aheadMs = 1_000;

/** One hook that waits for its answer. */
interface Hook {
  /** False when it has its answer already. */
  readonly reply: (body: object) => boolean;
  /** The id of a request that is made for it. */
  readonly nextId: () => string;
}

interface HookNeeds {
  /** Aborted when the program no longer waits. */
  readonly signal: AbortSignal;
  readonly no: (why: string) => object;
  /** Instead of a no when it takes too long: the answer is given elsewhere. */
  readonly later?: (() => void) | undefined;
}

export class HeldTools {
  readonly #options: HeldToolsOptions;
  /** Permissions of the main conversation, by call. */
  readonly #relays = new Map<string, Relay>();
  /** What waits, by what ends the wait with a no. */
  readonly #waiting = new Set<(why: string) => void>();
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
    for (const end of this.#waiting) end(why);
    this.#relays.clear();
  }

  /** A tool is about to run. */
  async held(input: Wire, signal: AbortSignal): Promise<object> {
    const { translator, before, permissions, say } = this.#options;
    const callId = text(input["tool_call_id"]) ?? text(input["tool_use_id"]) ?? "";
    const nativeName = text(input["tool_name"]) ?? "";
    const given = record(input["tool_input"]);
    await this.#known(() => translator.call(callId) !== undefined);
    const parent = translator.call(callId)?.parent ?? this.#parentOf(input);
    translator.calls.changed(callId, given);
    before.look(callId, nativeName, given);
    this.#relays.delete(callId);
    return this.#answer({ signal, no: stop }, (hook) => {
      const waiting: Waiting = { requestId: hook.nextId(), callId, nativeName, input: given, parent };
      say(permissions.held(waiting, (answer) => this.#decide(answer, waiting, hook)));
    });
  }

  /**
   * The program's own rules want somebody's word. Asked here, the answer may change what the tool runs with, which is not so over
   * the wire; but here it waits less than a minute, and after that a subagent is told no, and the others are asked over the wire.
   */
  async asked(input: Wire, signal: AbortSignal): Promise<object> {
    const { translator, permissions, say } = this.#options;
    const nativeName = text(input["tool_name"]) ?? "";
    // Only over the wire can it be answered.
    if (canonicalTool(nativeName) === "question") return {};
    const given = record(input["tool_input"]);
    const isSubagent = text(input["agent_id"]) !== undefined;
    const parent = this.#parentOf(input);
    const find = () => translator.calls.alike(nativeName, given, parent, (callId) => this.#relays.has(callId));
    await this.#known(() => find() !== undefined);
    const callId = find()?.callId;
    if (callId === undefined && !isSubagent) return {};
    const later = isSubagent ? undefined : () => this.#relays.get(callId!)?.wait();
    return this.#answer({ signal, no: refused, later }, ({ reply, nextId }) => {
      const requestId = nextId();
      const relay = new Relay({
        allow: (updatedInput) => reply(decided({ behavior: "allow", updatedInput })),
        deny: (message) => void reply(refused(message)),
      });
      if (callId !== undefined) this.#relays.set(callId, relay);
      say(permissions.asked({ requestId, callId: callId ?? requestId, nativeName, input: given, parent }, relay));
    });
  }

  /** The same permission over the wire: whoever was asked goes on to be asked. */
  goesOn(callId: string, reply: Reply): boolean {
    const relay = this.#relays.get(callId);
    this.#relays.delete(callId);
    relay?.goOn(reply);
    return relay !== undefined;
  }

  #decide(answer: HoldAnswer, waiting: Waiting, { reply, nextId }: Hook): void {
    const { translator, permissions, say } = this.#options;
    const decision = answer.decision === "defer" ? this.#whereItsRulesFallShort(waiting) : answer.decision;
    if (decision === "deny") {
      translator.calls.denied(waiting.callId);
      reply(stop(answer.message ?? "This tool is not allowed here."));
    } else if (decision === "ask" && waiting.parent !== undefined) {
      const own: Reply = {
        // What the tool runs with is settled by now.
        allow: (input) => input === undefined && reply(run),
        deny: (message) => void reply(stop(message)),
      };
      say(permissions.asked({ ...waiting, requestId: nextId() }, own, answer.message));
    } else {
      reply(decision === "ask" ? ask(answer.message ?? "A person is to be asked.") : run);
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

  /** What is decided; or a no, when that takes too long or nobody wants to know any more. */
  #answer({ signal, no, later }: HookNeeds, begin: (hook: Hook) => void): Promise<object> {
    const { promise, resolve } = Promise.withResolvers<object>();
    const ids: string[] = [];
    const reply = (body: object): boolean => {
      if (!this.#waiting.delete(end)) return false;
      clearTimeout(timer);
      resolve(body);
      return true;
    };
    const end = (why: string) => reply(no(why));
    const giveUp = (by: "agent" | "deadline", why: string) => {
      if (!this.#waiting.has(end)) return;
      this.#options.say(ids.flatMap((id) => this.#options.permissions.withdrawn(id, by)));
      end(why);
    };
    const timer = setTimeout(() => {
      if (later === undefined) return giveUp("deadline", "Denied: nobody answered in time.");
      later();
      reply({});
    }, hookMs);
    this.#waiting.add(end);
    signal.addEventListener("abort", () => giveUp("agent", ""));
    const nextId = () => {
      ids.push(`${this.#options.prefix}hook-${++this.#count}`);
      return ids.at(-1)!;
    };
    begin({ reply, nextId });
    return promise;
  }

  /** Until the line came that says what a hook is about. */
  async #known(isKnown: () => boolean): Promise<void> {
    const until = AbortSignal.timeout(aheadMs);
    const late = new Promise<void>((resolve) => until.addEventListener("abort", () => resolve()));
    for (;;) {
      // It runs a tool, so the answer that called for it counts.
      this.#options.say(this.#options.translator.settle());
      if (isKnown() || until.aborted) return;
      await Promise.race([this.#heard.promise, late]);
    }
  }

  #parentOf(input: Wire): string | undefined {
    const agentId = text(input["agent_id"]);
    return agentId === undefined ? undefined : this.#options.translator.calls.taskOf(agentId)?.callId;
  }
}

/** Before a tool runs: as its own rules say. */
const run = {};
const stop = (reason: string) => beforeTool("deny", reason);
const ask = (reason: string) => beforeTool("ask", reason);

function beforeTool(permissionDecision: "deny" | "ask", permissionDecisionReason: string): object {
  return { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision, permissionDecisionReason } };
}

/** Where its own rules ask. */
const refused = (message: string) => decided({ behavior: "deny", message });

function decided(decision: object): object {
  return { hookSpecificOutput: { hookEventName: "PermissionRequest", decision } };
}
