/** What OpenCode's own rules ask about by themselves. A call that somebody allowed as a whole they need not ask about again. */
import { sep } from "node:path";
import { record, text, texts } from "../../protocols/json.ts";
import type { JsonObject } from "../../protocols/json.ts";
import type { AgentEvent } from "../../events/types.ts";
import { isInside } from "../../workspace/real-paths.ts";
import type { PermissionAnswer } from "../contract.ts";
import { isAlways, isDenial, isStop, optionsWith } from "../shared/permission-options.ts";
import { hunksOf } from "../shared/file-before.ts";
import type { PermissionsOptions } from "./requests.ts";
import { toolCall } from "./tools.ts";

/** How far somebody allowed a call: all of it, or only the tool as such. */
export type Reach = "whole" | "tool";

export interface NativeOptions extends PermissionsOptions {
  readonly reachOf: (callId: string) => Reach | undefined;
  /** Asks when the call it is about was told. */
  readonly whenTold: (session: string, callId: string, events: () => AgentEvent[]) => AgentEvent[];
}

/** How far an `always` reaches. */
interface Rule {
  readonly key: string;
  readonly label: string;
}

interface Asked {
  readonly id: string;
  readonly session: string;
  readonly callId: string;
  readonly permission: string;
  readonly wire: JsonObject;
}

const reasons: Readonly<Record<string, string>> = {
  external_directory: "It is outside of the workspace.",
  doom_loop: "The model has made the same call several times.",
};

export class NativeRules {
  readonly #o: NativeOptions;
  readonly #pending = new Map<string, { readonly callId: string; readonly rule: string }>();
  /** What a person allowed for the session. */
  readonly #always = new Set<string>();

  constructor(options: NativeOptions) {
    this.#o = options;
  }

  asked(params: unknown): void {
    const wire = record(params);
    const [id, session, permission] = [text(wire["id"]), text(wire["sessionID"]), text(wire["permission"])];
    if (id === undefined || session === undefined || permission === undefined) return;
    if (!this.#o.sessions.isOurs(session)) return this.#reply(id, { reply: "reject", message: "Nobody is there." });
    const callId = this.#o.sessions.callId(session, text(record(wire["tool"])["callID"]) ?? id);
    this.#judge({ id, session, callId, permission, wire });
  }

  /** They no longer wait: somebody else answered, or another denial took this one along. */
  withdrawn(params: unknown): AgentEvent[] {
    const requestId = text(record(params)["requestID"]) ?? "";
    if (!this.#pending.delete(requestId)) return [];
    return [{ type: "permission.resolved", requestId, outcome: "cancelled", by: "agent" }];
  }

  /** False where it was not theirs. */
  answer(id: string, answer: PermissionAnswer): boolean {
    const pending = this.#pending.get(id);
    if (pending === undefined) return false;
    this.#pending.delete(id);
    if (isDenial(answer)) this.#deny(id, pending.callId, answer);
    else {
      if (isAlways(answer)) this.#always.add(pending.rule);
      this.#reply(id, { reply: "once" });
    }
    return true;
  }

  clear(): void {
    this.#pending.clear();
  }

  #judge(asked: Asked): void {
    const { id, session, callId, permission, wire } = asked;
    const patterns = texts(wire["patterns"]);
    const outside = permission === "external_directory";
    const label = outside ? patterns.join(", ") : `${permission} ${patterns.join(", ")}`;
    const rule = { key: `${permission} ${patterns.join("\n")}`, label };
    const reach = this.#o.reachOf(callId);
    const covered = reach === "whole" || (reach === "tool" && reasons[permission] === undefined);
    if (covered || this.#always.has(rule.key) || (outside && this.#areInside(patterns)))
      return this.#reply(id, { reply: "once" });
    this.#o.say(this.#o.whenTold(session, callId, () => [this.#request(asked, rule)]));
  }

  #areInside(patterns: readonly string[]): boolean {
    return patterns.length > 0 && patterns.every((pattern) => this.#isInside(pattern));
  }

  /** A place outside of its folder that it would ask about; a pattern ends with a star. */
  #isInside(pattern: string): boolean {
    const { cwd, folders } = this.#o.workspace;
    return isInside(pattern.replace(/[/\\]?\*+$/, "") || sep, folders, cwd);
  }

  #request({ id, session, callId, permission, wire }: Asked, rule: Rule): AgentEvent {
    const known = this.#o.calls.find(callId)?.call;
    const metadata = record(wire["metadata"]);
    const input = known?.input ?? metadata;
    const { tool, title, locations, mcp } = toolCall(known?.name ?? permission, input, this.#o);
    this.#pending.set(id, { callId, rule: rule.key });
    return {
      type: "permission.requested",
      requestId: id,
      callId,
      tool,
      title,
      input,
      reason: reasons[permission],
      locations,
      diff: hunksOf(text(metadata["diff"]), locations?.[0]?.path ?? "file"),
      mcp,
      options: optionsWith(rule),
      parent: this.#o.sessions.parentOf(session),
    };
  }

  #deny(id: string, callId: string, answer: PermissionAnswer): void {
    this.#o.calls.stopped(callId);
    // Without a word to the model a denial would end the turn.
    this.#reply(id, { reply: "reject", message: answer.message ?? "This was not allowed." });
    if (isStop(answer)) this.#o.stop();
  }

  #reply(id: string, body: { reply: "once" | "reject"; message?: string }): void {
    this.#o.post(`/permission/${id}/reply`, body);
  }
}
