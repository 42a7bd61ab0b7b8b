/** The first exchange: it says that the program is ready, and registers the hook that holds every tool. */
import { goneOf } from "../../drivers/stream-json/index.ts";
import type { StreamJson } from "../../drivers/stream-json/index.ts";
import { ReinsError, toReinsError } from "../../events/errors.ts";
import { exitError } from "./errors-exit.ts";
import { record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import { isSupported, unsupportedVersion } from "../shared/program.ts";
import { program } from "./program.ts";

/**
 * Without a matcher it holds every tool, also those of subagents. The timeout is in seconds: how long a tool waits is the core's
 * business, and one that is never answered does not run. Neither does one whose answer makes no sense (`block`).
 */
const hooks = { PreToolUse: [{ hookCallbackIds: ["hold"], timeout: 86_400, onFailure: "block" }] };

/** What it answers: its commands, models, account, version. */
export async function initialize(
  stream: StreamJson,
  deadlineMs: number,
  onlyGarbage: () => boolean = () => false,
): Promise<Wire> {
  const explain = (error: unknown): never => {
    const gone = goneOf(error);
    if (gone === undefined) throw onlyGarbage() && toReinsError(error).code === "agent_hung" ? notClaude(error) : error;
    // A program that ends here says on stderr what it did not like.
    const info = exitError(gone, gone.stderrTail, onlyGarbage());
    throw new ReinsError(info.code, info.message, { ...info, cause: error });
  };
  const answer = record(await stream.readUntil(stream.request("initialize", { hooks }, deadlineMs)).catch(explain));
  const version = text(answer["claude_code_version"]);
  if (version !== undefined && !isSupported(program, version)) throw unsupportedVersion(program, version);
  if (answer["hooks_applied"] === false)
    throw new ReinsError("protocol_error", "Claude Code does not let Reins hold its tools.", { agent: "claude" });
  return answer;
}

/** It is still there, and whatever it prints is no answer. */
function notClaude(cause: unknown): ReinsError {
  return new ReinsError("protocol_error", "Claude Code printed something that is not its protocol, and no answer.", {
    agent: "claude",
    help: "Check that the command is really Claude Code.",
    cause,
  });
}
