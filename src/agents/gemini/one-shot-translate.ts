/** What Gemini CLI prints with `--output-format stream-json`, one prompt a process, as events. Pure; whatever comes, it does not throw. */
import { isAbsolute, relative, resolve, sep } from "node:path";
import { record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import { Unparsed } from "../../drivers/stream-json/unparsed.ts";
import { titleOf } from "../../events/titles.ts";
import { canonicalInput } from "../../events/canonical-input.ts";
import { errorTable } from "../../events/errors.ts";
import type { ErrorInfo } from "../../events/errors.ts";
import { toolKinds } from "../../events/tools.ts";
import type { AgentEvent, Tokens } from "../../events/types.ts";
import type { Exit } from "../../process/types.ts";
import { failureOf, sentenceIn } from "./errors.ts";
import { program } from "./program.ts";
import { signInHelp } from "./sign-in.ts";
import { canonicalTool } from "./tools.ts";

export interface OneShotOptions {
  readonly cwd: string;
  /** Unique among the processes of a session. */
  readonly prefix: string;
  /** Whether a file is there; it is asked before a tool can have written it. */
  readonly exists: (path: string) => boolean;
}

export class OneShotTranslator {
  /** The program's id of the session, once it is known. */
  sessionId: string | undefined;
  model: string | undefined;
  cancelling = false;
  readonly #options: OneShotOptions;
  readonly #unparsed = new Unparsed(program.name);
  #messages = 0;
  #said = "";
  #speaking = false;
  /** It said how the turn ended; its process ends a little later. */
  ended = false;
  /** The files that calls write, by call. */
  readonly #files = new Map<string, { readonly path: string; readonly op: "create" | "modify" }>();

  constructor(options: OneShotOptions) {
    this.#options = options;
  }

  message(message: unknown): AgentEvent[] {
    const given = record(message);
    switch (given["type"]) {
      case "init":
        this.sessionId = text(given["session_id"]) ?? this.sessionId;
        this.model = text(given["model"]) ?? this.model;
        return [];
      case "message":
        return given["role"] === "assistant" ? this.#piece(given["content"]) : [];
      case "tool_use":
        return [...this.#rest(), ...this.#started(given)];
      case "tool_result":
        return [...this.#rest(), ...ended(given), ...this.#changed(given)];
      case "error":
        return [notice(text(given["message"]) ?? "It said that something went wrong.")];
      case "result":
        return this.#result(given);
      default:
        return this.#unparsed.saw(
          typeof message === "string" ? "lines that are no JSON" : "a message of an unknown type",
        );
    }
  }

  /** Without a result the turn was called off, or the program could not even begin. */
  exited(exit: Exit, stderrTail: string): AgentEvent[] {
    if (this.ended) return [];
    const rest = [...this.#rest(), ...this.#unparsed.turnEnded()];
    if (this.cancelling) return [...rest, { type: "turn.ended", outcome: "cancelled" }];
    return [...rest, { type: "turn.ended", outcome: "failed", error: exitError(exit, stderrTail) }];
  }

  #piece(content: unknown): AgentEvent[] {
    const said = text(content);
    if (said === undefined) return [];
    if (!this.#speaking) this.#messages++;
    this.#speaking = true;
    this.#said += said;
    return [{ type: "message.delta", messageId: this.#messageId, text: said }];
  }

  #rest(): AgentEvent[] {
    if (!this.#speaking) return [];
    const completed: AgentEvent = { type: "message.completed", messageId: this.#messageId, text: this.#said };
    this.#speaking = false;
    this.#said = "";
    return [completed];
  }

  get #messageId(): string {
    return `${this.#options.prefix}${this.#messages}`;
  }

  #started(call: Wire): AgentEvent[] {
    const [callId, nativeName] = [text(call["tool_id"]), text(call["tool_name"])];
    if (callId === undefined || nativeName === undefined) return this.#unparsed.saw("a tool call without an id");
    const tool = canonicalTool(nativeName);
    const input = record(call["parameters"]);
    const path = text(input["file_path"]);
    if (toolKinds[tool] === "edit" && path !== undefined)
      this.#files.set(callId, { path, op: this.#options.exists(path) ? "modify" : "create" });
    const title = titleOf(tool, canonicalInput(tool, input), { cwd: this.#options.cwd, nativeName });
    return [{ type: "tool.started", callId, tool, nativeName, kind: toolKinds[tool], title, input }];
  }

  #changed(result: Wire): AgentEvent[] {
    const callId = text(result["tool_id"]) ?? "";
    const file = this.#files.get(callId);
    if (file === undefined || result["status"] !== "success") return [];
    return [{ type: "file.changed", path: workspacePath(file.path, this.#options.cwd), op: file.op, callId }];
  }

  #result(result: Wire): AgentEvent[] {
    this.ended = true;
    const tokens = tokensIn(record(result["stats"]));
    const failed = result["status"] !== "success";
    return [
      ...this.#rest(),
      ...this.#unparsed.turnEnded(),
      ...(tokens === undefined ? [] : [{ type: "usage.updated", scope: "turn", tokens } satisfies AgentEvent]),
      failed
        ? { type: "turn.ended", outcome: "failed", error: errorOf(record(result["error"])), usage: tokens }
        : { type: "turn.ended", outcome: "done", usage: tokens },
    ];
  }
}

function ended(result: Wire): AgentEvent[] {
  const callId = text(result["tool_id"]);
  if (callId === undefined) return [];
  const said = text(result["output"]) ?? "";
  if (result["status"] !== "error") {
    const bytes = Buffer.byteLength(said);
    return [{ type: "tool.completed", callId, output: { text: said, bytes, kept: bytes } }];
  }
  const { type, message } = record(result["error"]);
  // Tools that it would have to ask for are not even offered in this form.
  const denied = type === "tool_not_registered" || type === "policy_violation";
  const error = { message: text(message) ?? (said || "The tool failed and did not say why.") };
  return [{ type: "tool.failed", callId, error, reason: denied ? "denied" : "error" }];
}

/** `input` is without what came from the cache. */
function tokensIn({ input, output_tokens: output, cached }: Wire): Tokens | undefined {
  if (typeof input !== "number" || typeof output !== "number" || input + output === 0) return undefined;
  return typeof cached === "number" ? { input, output, cacheRead: cached } : { input, output };
}

function errorOf(error: Wire): ErrorInfo {
  const message = text(error["message"]) ?? "Gemini CLI ended the turn and did not say why.";
  const status = Number(/"code":\s*(\d{3})/.exec(message)?.[1] ?? 0);
  const failure = failureOf({ code: status, message }) ?? { code: "agent_crashed", message: sentenceIn(message) };
  const { code, help, resetsAt } = failure;
  const info: ErrorInfo = { code, message: failure.message, retryable: errorTable[code].retryable, agent: program.id };
  if (help !== undefined) info.help = help;
  if (resetsAt !== undefined) info.resetsAt = resetsAt;
  return info;
}

/** Its own exit codes: 41 nobody signed in, 42 bad input, 55 a folder it does not trust. */
function exitError({ code, signal }: Exit, stderrTail: string): ErrorInfo {
  const said = stderrTail
    .trim()
    .split("\n")
    .find((line) => /^Error|trusted|auth method/i.test(line.trim()));
  const how = said ?? `Gemini CLI ended ${signal === null ? `with code ${code}` : `by ${signal}`} and did not say why`;
  const error = { message: how.trim(), retryable: false, agent: program.id };
  if (code === 41) return { ...error, code: "not_authenticated", help: signInHelp };
  if (code === 55)
    return { ...error, code: "permission_denied", help: "Run `gemini` in this folder once and trust it there." };
  if (code === 42) {
    const lost = /session/i.test(how);
    return { ...error, code: lost ? "session_not_found" : "invalid_input" };
  }
  return { ...error, code: "agent_crashed", retryable: errorTable.agent_crashed.retryable };
}

function notice(message: string): AgentEvent {
  return { type: "notice", level: "warning", code: "agent", message };
}

/** Relative where it is inside the workspace. */
function workspacePath(path: string, cwd: string): string {
  const from = relative(cwd, resolve(cwd, path));
  return from === "" || from === ".." || from.startsWith(`..${sep}`) || isAbsolute(from) ? path : from;
}
