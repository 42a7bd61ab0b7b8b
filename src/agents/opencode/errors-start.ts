/** A server that was started and cannot be used: why, and whether the same might go well with another one. */
import { goneOf, refusalOf } from "../../drivers/json-rpc/index.ts";
import type { RpcError } from "../../drivers/json-rpc/index.ts";
import { record, text } from "../../drivers/stream-json/read.ts";
import { isReinsError, ReinsError } from "../../events/errors.ts";
import type { ErrorCode } from "../../events/errors.ts";
import { exitError } from "./errors-exit.ts";

/** By this cause the error is known again. */
const notLoaded = { plugin: "not loaded" } as const;

export function notHeld(): ReinsError {
  return new ReinsError("protocol_error", "OpenCode did not load the plugin by which Reins holds its tools.", {
    agent: "opencode",
    help: "Look for a setting that keeps it from loading plugins.",
    cause: notLoaded,
  });
}

/** A server that ended says what it did not like; one that refuses may not like its own settings, or be broken. */
export function explained(error: unknown): unknown {
  const gone = goneOf(error);
  if (gone !== undefined) {
    const info = exitError(gone, gone.stderrTail);
    return new ReinsError(info.code, info.message, { ...info, cause: error });
  }
  const refusal = refusalOf(error);
  if (refusal === undefined) return error;
  const { name, data } = record(refusal.data);
  if (typeof name === "string" && name.startsWith("Config")) return settingsError(data, error);
  const code = brokenCode(refusal);
  return code === undefined ? error : new ReinsError(code, refusal.message, { agent: "opencode", cause: error });
}

function settingsError(data: unknown, cause: unknown): ReinsError {
  const { path, message } = record(data);
  const what = [text(path), text(message)].filter((part) => part !== undefined).join(": ");
  return new ReinsError("invalid_input", `OpenCode does not understand its settings (${what}).`, {
    agent: "opencode",
    help: "Correct them; `opencode debug config` shows them.",
    cause,
  });
}

/** What a status means of a model's service it does not mean of this server: nobody can sign in to it, and no other network leads there. */
function brokenCode({ code, data }: RpcError): ErrorCode | undefined {
  if (code >= 500) return "agent_crashed";
  const unanswered = code === 0 ? record(data)["code"] : undefined;
  return unanswered === "network" || unanswered === "agent_hung" ? "agent_hung" : undefined;
}

/** Nothing that a person has set or wants is the reason, as far as can be told: another server may be well. */
export function isItsOwn(error: unknown): boolean {
  if (!isReinsError(error)) return false;
  if (error.code === "agent_crashed" || error.code === "agent_hung") return true;
  // Only it and we know its password: whoever refuses that is not the server that was started, or not yet.
  return error.cause === notLoaded || refusalOf(error)?.code === 401;
}
