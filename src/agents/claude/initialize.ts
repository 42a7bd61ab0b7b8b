/** The first exchange: it says that the program is ready, and registers the hook that holds every tool. */
import type { StreamJson } from "../../drivers/stream-json/index.ts";
import { ReinsError } from "../../events/errors.ts";
import { exitError } from "./errors-exit.ts";
import { record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import { isSupported, unsupportedVersion } from "../shared/program.ts";
import { explainStart } from "../shared/stream-json-program.ts";
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
  const explain = (error: unknown): never =>
    explainStart(program, error, onlyGarbage(), (exit, stderrTail) => exitError(exit, stderrTail, onlyGarbage()));
  const answer = record(await stream.readUntil(stream.request("initialize", { hooks }, deadlineMs)).catch(explain));
  const version = text(answer["claude_code_version"]);
  if (version !== undefined && !isSupported(program, version)) throw unsupportedVersion(program, version);
  if (answer["hooks_applied"] === false)
    throw new ReinsError("protocol_error", "Claude Code does not let Reins hold its tools.", { agent: "claude" });
  return answer;
}
