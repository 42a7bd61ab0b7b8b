/** Translates the stream of one run to events. Never throws. */
import type { ErrorInfo } from "../../events/errors.ts";
import type { AgentEvent } from "../../events/types.ts";
import type { ServerEvent } from "../../protocols/http/client.ts";
import { named, parseJson, record, records, text, type JsonObject } from "../../protocols/json.ts";
import type { CloudBranch } from "../shared/remote.ts";
import { isOver, type RunInfo } from "./client.ts";
import { runError } from "./failures.ts";
import { Calls } from "./tools.ts";

/** These repeat the plain events in another form, or keep the connection open. */
const ignored: ReadonlySet<string> = new Set(["interaction_update", "heartbeat", "done"]);

export interface RunEnd {
  readonly outcome: "done" | "cancelled" | "failed";
  readonly error?: ErrorInfo | undefined;
  readonly branches: readonly CloudBranch[];
}

interface TranslationOptions {
  readonly runId: string;
  readonly cwd: string;
  /** The run is read from its beginning: if it had no message, its result is its last message. */
  readonly whole: boolean;
}

export class Translation {
  readonly #o: TranslationOptions;
  readonly #calls: Calls;
  #open: { readonly kind: "message" | "thought"; readonly messageId: string; text: string } | undefined;
  #count = 0;
  /** The text of the agent since its last tool; `#whole` is true when it was read from its beginning. */
  #lastText = "";
  #whole: boolean;
  #failure: RunInfo["error"];
  end: RunEnd | undefined;
  closed = false;

  constructor(options: TranslationOptions) {
    this.#o = options;
    this.#whole = options.whole;
    this.#calls = new Calls(options.cwd);
  }

  take({ type, data }: Pick<ServerEvent, "type" | "data">): AgentEvent[] {
    this.closed ||= type === "done";
    if (ignored.has(type)) return [];
    const given = parseJson(data);
    if (given === undefined) return [unparsed(`The event ${named(type)} is not JSON.`)];
    const wire = record(given);
    switch (type) {
      case "status":
        return text(wire["status"]) === "RUNNING" ? [{ type: "turn.phase", phase: "model" }] : [];
      case "assistant":
        return this.#say("message", wire);
      case "thinking":
        return this.#say("thought", wire);
      case "tool_call":
        this.#lastText = "";
        this.#whole = true;
        return [...this.close(), ...this.#calls.take(wire)];
      case "error":
        this.#failure = { code: text(wire["code"]), message: text(wire["message"]) };
        return [];
      case "result":
        return this.#result(wire);
      default:
        return [unparsed(`The event ${named(type)} is unknown.`)];
    }
  }

  /** Called when polling finds that the run has ended: reports the part of its last message that the stream did not. */
  finish({ status, result = "", error = this.#failure, branches }: RunInfo): AgentEvent[] {
    return this.#ends(status, untold(result, this.#lastText), branches, error);
  }

  #result(wire: JsonObject): AgentEvent[] {
    const status = text(wire["status"]) ?? "";
    if (!isOver(status)) return [unparsed(`A run ended as ${named(status)}.`)];
    const branches = records(record(wire["git"])["branches"]).map(({ repoUrl, branch, prUrl }) => ({
      repository: text(repoUrl),
      branch: text(branch),
      pullRequest: text(prUrl),
    }));
    const words = this.#whole && this.#lastText.trim() === "" ? text(wire["text"]) : undefined;
    return this.#ends(status, words ?? "", branches, this.#failure);
  }

  #ends(status: string, untold: string, branches: readonly CloudBranch[], failure: RunInfo["error"]): AgentEvent[] {
    if (this.end !== undefined) return [];
    const outcome = outcomes[status.toUpperCase()] ?? "failed";
    const out = [...(outcome === "done" ? this.#say("message", { text: untold }) : []), ...this.close()];
    const expired = { code: "expired", message: "it expired before it was done" };
    const why = failure ?? (status.toUpperCase() === "EXPIRED" ? expired : { code: undefined, message: untold });
    this.end = { outcome, branches, ...(outcome === "failed" && { error: runError(why.code, why.message) }) };
    return out;
  }

  #say(kind: "message" | "thought", wire: JsonObject): AgentEvent[] {
    const piece = text(wire["text"]);
    if (piece === undefined) return [];
    const out = this.#open?.kind === kind ? [] : this.close();
    this.#open ??= { kind, messageId: `${this.#o.runId}/${++this.#count}`, text: "" };
    this.#open.text += piece;
    if (kind === "message") this.#lastText += piece;
    out.push({ type: `${kind}.delta`, messageId: this.#open.messageId, text: piece });
    return out;
  }

  close(): AgentEvent[] {
    const open = this.#open;
    this.#open = undefined;
    return open === undefined ? [] : [{ type: `${open.kind}.completed`, messageId: open.messageId, text: open.text }];
  }
}

/** The part of the result that was not reported. A reader that joined in the middle has its end; surrounding space is ignored. */
function untold(result: string, told: string): string {
  if (result.startsWith(told)) return result.slice(told.length);
  const words = told.trim();
  return words !== "" && result.trim().endsWith(words) ? "" : result;
}

const outcomes: Readonly<Record<string, RunEnd["outcome"]>> = {
  FINISHED: "done",
  CANCELLED: "cancelled",
  STOPPED: "cancelled",
};

const unparsed = (message: string): AgentEvent => ({ type: "notice", level: "warning", code: "unparsed", message });

/** A sentence about the branches the agent pushed; empty when there are none. */
export function branchWords(branches: readonly CloudBranch[]): string {
  const parts = branches.flatMap(({ repository, branch, pullRequest }) => {
    const where = repository === undefined ? "" : ` of ${repository}`;
    const pushed = branch === undefined ? [] : [`the branch ${branch}${where}`];
    return [...pushed, ...(pullRequest === undefined ? [] : [`the pull request ${pullRequest}`])];
  });
  return parts.length === 0 ? "" : `The agent pushed ${parts.join(", and ")}.`;
}
