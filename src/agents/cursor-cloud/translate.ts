/** The stream of one run into events. It never throws, whatever comes. */
import type { ErrorInfo } from "../../events/errors.ts";
import type { AgentEvent } from "../../events/types.ts";
import type { ServerEvent } from "../../protocols/http/client.ts";
import { list, named, record, text } from "../../protocols/json.ts";
import type { JsonObject } from "../../protocols/json.ts";
import type { CloudBranch } from "../shared/remote.ts";
import { isOver } from "./client.ts";
import type { RunInfo } from "./client.ts";
import { runError } from "./failures.ts";
import { Calls } from "./tools.ts";

/** Said beside the plain events, with the same in other words; or to keep the connection open. */
const ignored: ReadonlySet<string> = new Set(["interaction_update", "heartbeat", "done"]);

export interface RunEnd {
  readonly outcome: "done" | "cancelled" | "failed";
  readonly error?: ErrorInfo | undefined;
  readonly branches: readonly CloudBranch[];
}

export interface TranslationOptions {
  readonly runId: string;
  readonly cwd: string;
  /** It is read from its beginning: what it came to in the end is said here, if nothing was. */
  readonly whole: boolean;
}

export class Translation {
  readonly #o: TranslationOptions;
  readonly #calls: Calls;
  #open: { readonly kind: "message" | "thought"; readonly messageId: string; text: string } | undefined;
  #count = 0;
  /** The last words of the agent since its last tool. */
  #lastText = "";
  /** Those were heard from their beginning. */
  #whole: boolean;
  #failure: { code: string | undefined; message: string | undefined } | undefined;
  /** How the run ended, once it has. */
  end: RunEnd | undefined;
  /** The service has said that nothing more comes. */
  closed = false;

  constructor(options: TranslationOptions) {
    this.#o = options;
    this.#whole = options.whole;
    this.#calls = new Calls(options.cwd);
  }

  take({ type, data }: Pick<ServerEvent, "type" | "data">): AgentEvent[] {
    this.closed ||= type === "done";
    if (ignored.has(type)) return [];
    const wire = parsed(data);
    if (wire === undefined) return [unparsed(`An event ${named(type)} is no JSON.`)];
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
        return [...this.#close(), ...this.#calls.take(wire)];
      case "error":
        this.#failure = { code: text(wire["code"]), message: text(wire["message"]) };
        return [];
      case "result":
        return this.#result(wire);
      default:
        return [unparsed(`An event ${named(type)} is not known.`)];
    }
  }

  /** The run is over, as somebody found who looked: what its stream did not tell of its last words is told now. */
  finish({ status, result = "", error, branches }: RunInfo): AgentEvent[] {
    const failure = error === undefined ? this.#failure : { code: error.code, message: error.message };
    return this.#ends(status, untold(result, this.#lastText), branches, failure);
  }

  /** It is no longer followed: what is open stays as it is, and is closed. */
  leave(): AgentEvent[] {
    return this.#close();
  }

  #result(wire: JsonObject): AgentEvent[] {
    const status = text(wire["status"]) ?? "";
    if (!isOver(status)) return [unparsed(`A run ended as ${named(status)}.`)];
    const branches = list(record(wire["git"])["branches"]).map(record);
    const told = branches.map(({ repoUrl, branch, prUrl }) => ({
      repoUrl: text(repoUrl),
      branch: text(branch),
      prUrl: text(prUrl),
    }));
    const words = this.#whole && this.#lastText.trim() === "" ? text(wire["text"]) : undefined;
    return this.#ends(status, words ?? "", branchesOf(told), this.#failure);
  }

  #ends(
    status: string,
    untold: string,
    branches: readonly CloudBranch[],
    failure: { readonly code?: string | undefined; readonly message?: string | undefined } | undefined,
  ): AgentEvent[] {
    if (this.end !== undefined) return [];
    const outcome = outcomes[status.toUpperCase()] ?? "failed";
    const out = [...(outcome === "done" ? this.#say("message", { text: untold }) : []), ...this.#close()];
    const expired = { code: "expired", message: "it expired before it was done" };
    const why = failure ?? (status.toUpperCase() === "EXPIRED" ? expired : { code: undefined, message: untold });
    this.end = { outcome, branches, ...(outcome === "failed" && { error: runError(why.code, why.message) }) };
    return out;
  }

  #say(kind: "message" | "thought", wire: JsonObject): AgentEvent[] {
    const piece = text(wire["text"]);
    if (piece === undefined) return [];
    const out = this.#open?.kind === kind ? [] : this.#close();
    this.#open ??= { kind, messageId: `${this.#o.runId}/${++this.#count}`, text: "" };
    this.#open.text += piece;
    if (kind === "message") this.#lastText += piece;
    out.push({ type: `${kind}.delta`, messageId: this.#open.messageId, text: piece });
    return out;
  }

  #close(): AgentEvent[] {
    const open = this.#open;
    this.#open = undefined;
    return open === undefined ? [] : [{ type: `${open.kind}.completed`, messageId: open.messageId, text: open.text }];
  }
}

/** What of the last words was not told. Who came in the middle of them was told their end; space around them means nothing. */
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

function parsed(data: string): JsonObject | undefined {
  try {
    return record(JSON.parse(data) as unknown);
  } catch {
    return undefined;
  }
}

const unparsed = (message: string): AgentEvent => ({ type: "notice", level: "warning", code: "unparsed", message });

/** The branches that an agent pushed, and what was made of them. */

/** As they are told: without a scheme. */
export function branchesOf(
  branches: readonly { repoUrl?: string | undefined; branch?: string | undefined; prUrl?: string | undefined }[],
): CloudBranch[] {
  return branches.map(({ repoUrl, branch, prUrl }) => ({ repository: repoUrl, branch, pullRequest: prUrl }));
}

/** In one sentence; empty where it pushed nothing. */
export function branchWords(branches: readonly CloudBranch[]): string {
  const parts = branches.flatMap(({ repository, branch, pullRequest }) => {
    const where = repository === undefined ? "" : ` of ${repository}`;
    const pushed = branch === undefined ? [] : [`the branch ${branch}${where}`];
    return [...pushed, ...(pullRequest === undefined ? [] : [`the pull request ${pullRequest}`])];
  });
  return parts.length === 0 ? "" : `There is ${parts.join(", and ")}.`;
}
