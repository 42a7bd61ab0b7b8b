/** From the JSON output of one process to events. One turn each; pure, and whatever comes, it does not throw. */
import { number, record, records, text } from "../../drivers/acp/read.ts";
import type { Wire } from "../../drivers/acp/read.ts";
import { Strays } from "../../drivers/acp/strays.ts";
import type { AcpFailure } from "../../drivers/acp/index.ts";
import { diffStats } from "../../events/diff.ts";
import { errorTable } from "../../events/errors.ts";
import type { ErrorInfo } from "../../events/errors.ts";
import { titleOf } from "../../events/titles.ts";
import { toolKinds } from "../../events/tools.ts";
import type { AgentEvent, AgentEventOf } from "../../events/types.ts";
import { workspacePath } from "../shared/workspace-path.ts";
import { failureOf, failureWith } from "./errors.ts";
import { isIgnored } from "./ignored.ts";
import { program } from "./program.ts";
import { described, withoutShellMark } from "./tools.ts";

type Out = AgentEvent[];

export interface OneShotOptions {
  readonly cwd: string;
  readonly servers: readonly string[];
}

export class OneShotTranslator {
  readonly #o: OneShotOptions;
  readonly #strays = new Strays(program.name);
  /** The message that streams and is not complete. */
  #streaming: string | undefined;
  #failure: AcpFailure | undefined;
  /** It is being ended: whatever it says of the end then, it was cancelled. */
  cancelling = false;
  #retries = 0;
  /** It said how the turn ended. */
  ended = false;

  constructor(options: OneShotOptions) {
    this.#o = options;
  }

  translate(message: unknown): readonly AgentEvent[] {
    const out: Out = [];
    if (this.ended) return out;
    const { type, data, ...rest } = record(message);
    this.#take(type, type === "result" ? rest : record(data), out);
    return out;
  }

  /** The process is gone; without a result it was cancelled or died. */
  exited(error: ErrorInfo): readonly AgentEvent[] {
    const out: Out = [];
    if (!this.ended) this.#end(this.cancelling ? { outcome: "cancelled" } : { outcome: "failed", error }, out);
    return out;
  }

  #take(type: unknown, data: Wire, out: Out): void {
    const messageId = text(data["messageId"]) ?? "";
    const parent = text(data["parentToolCallId"]);
    switch (type) {
      case "assistant.message_delta":
        this.#streaming = messageId;
        out.push({ type: "message.delta", messageId, text: text(data["deltaContent"]) ?? "", parent });
        return;
      case "assistant.reasoning_delta": {
        const thought = text(data["reasoningId"]) ?? "";
        out.push({ type: "thought.delta", messageId: thought, text: text(data["deltaContent"]) ?? "", parent });
        return;
      }
      case "assistant.message": {
        const said = text(data["content"]);
        if (said !== undefined) out.push({ type: "message.completed", messageId, text: said, parent });
        this.#streaming = undefined;
        return;
      }
      case "assistant.turn_retry":
        return this.#retry(out);
      case "tool.execution_start":
        return this.#started(data, parent, out);
      case "tool.shell_output":
        return void out.push({
          type: "tool.progress",
          callId: text(data["toolCallId"]) ?? "",
          output: text(data["text"]) ?? "",
          parent,
        });
      case "tool.execution_complete":
        return this.#completed(data, parent, out);
      case "session.compaction_complete":
        return void out.push({ type: "context.compacted", trigger: "auto" });
      case "session.info":
        this.cancelling ||= data["infoType"] === "cancellation";
        return;
      case "session.error":
        this.#failure = failureWith(text(data["message"]) ?? "It failed.", number(data["statusCode"]));
        return;
      case "result":
        return this.#result(data, out);
      default:
        if (typeof type !== "string") this.#strays.unknown("something that is no event", out);
        else if (!isIgnored(type)) this.#strays.unknown(type.slice(0, 100), out);
    }
  }

  /** A cut stream says everything again, as another message. */
  #retry(out: Out): void {
    if (this.#streaming !== undefined)
      out.push({ type: "message.discarded", messageId: this.#streaming, reason: "retry" });
    this.#streaming = undefined;
    const error = infoOf({ code: "overloaded", message: "The model's service failed; it tries again." });
    out.push({ type: "turn.phase", phase: "retry" }, { type: "agent.retrying", attempt: ++this.#retries, error });
  }

  #started(data: Wire, parent: string | undefined, out: Out): void {
    const callId = text(data["toolCallId"]) ?? "";
    const nativeName = text(data["toolName"]) ?? "tool";
    const input = record(data["arguments"]);
    const { tool, input: canonical } = described(nativeName, input, this.#o.servers);
    const title = titleOf(tool, canonical, { cwd: this.#o.cwd, nativeName });
    out.push({ type: "tool.started", callId, tool, nativeName, kind: toolKinds[tool], title, input, parent });
  }

  #completed(data: Wire, parent: string | undefined, out: Out): void {
    const callId = text(data["toolCallId"]) ?? "";
    if (data["success"] !== true) {
      const { message, code } = record(data["error"]);
      const error = { message: text(message) ?? "The tool failed and did not say why." };
      const reason = code === "denied" || code === "rejected" ? "denied" : "error";
      out.push({ type: "tool.failed", callId, error, reason, parent });
      return;
    }
    const result = record(data["result"]);
    const said = withoutShellMark(text(result["content"]) ?? "");
    const bytes = Buffer.byteLength(said);
    const exitCode = number(record(data["shellExecution"])["exitCode"]);
    out.push({ type: "tool.completed", callId, output: { text: said, bytes, kept: bytes }, exitCode, parent });
    const edits = records(data["fileEdits"]);
    const diff = edits.length === 1 ? text(result["detailedContent"]) : undefined;
    for (const edit of edits) out.push(...this.#changed(edit, callId, parent, diff));
  }

  #changed(edit: Wire, callId: string, parent: string | undefined, diff: string | undefined): Out {
    const path = text(edit["path"]);
    if (path === undefined) return [];
    const op = edit["kind"] === "create" || edit["kind"] === "delete" ? edit["kind"] : "modify";
    const stats = diff === undefined ? {} : diffStats(diff);
    return [{ type: "file.changed", path: workspacePath(path, this.#o.cwd), op, ...stats, callId, parent }];
  }

  #result({ exitCode }: Wire, out: Out): void {
    if (this.cancelling) return this.#end({ outcome: "cancelled" }, out);
    const failed =
      this.#failure ?? (exitCode === 0 ? undefined : failureOf("It ended with an error and did not say which."));
    this.#end(failed === undefined ? { outcome: "done" } : { outcome: "failed", error: infoOf(failed) }, out);
  }

  #end(how: Pick<AgentEventOf<"turn.ended">, "outcome" | "error">, out: Out): void {
    if (this.ended) return;
    this.ended = true;
    this.#strays.turnEnded(out);
    out.push({ type: "turn.ended", ...how });
  }
}

export function infoOf({ code, message, help }: AcpFailure): ErrorInfo {
  const info: ErrorInfo = { code, message, retryable: errorTable[code].retryable, agent: program.id };
  if (help !== undefined) info.help = help;
  return info;
}
