/** The first exchange: without it a tool that needs somebody's word waits for ever, and nobody is asked. */
import { goneOf } from "../../drivers/stream-json/index.ts";
import type { StreamJson } from "../../drivers/stream-json/index.ts";
import { record, text } from "../../drivers/stream-json/read.ts";
import { ReinsError, toReinsError } from "../../events/errors.ts";
import { errorOf } from "./errors.ts";
import { exitError } from "./errors-exit.ts";

/** The longest it lets a permission wait; else it is a minute. How long that really is, is the core's business. */
const permissionMs = 600_000;

export interface Starting {
  /** What it said instead of starting. */
  readonly startFailure: string | undefined;
  readonly onlyGarbage: boolean;
}

/** The id of the conversation. */
export async function initialize(stream: StreamJson, deadlineMs: number, starting: () => Starting): Promise<string> {
  const explain = (error: unknown): never => {
    const { startFailure, onlyGarbage } = starting();
    const gone = goneOf(error);
    if (gone === undefined) throw onlyGarbage && toReinsError(error).code === "agent_hung" ? notQwen(error) : error;
    // A program that ends here says what it did not like, on stderr or as a result.
    const info =
      startFailure === undefined ? exitError(gone, gone.stderrTail, onlyGarbage) : errorOf({ said: startFailure });
    throw new ReinsError(info.code, info.message, { ...info, cause: error });
  };
  const wanted = { hooks: null, timeout: { canUseTool: permissionMs } };
  const answer = record(await stream.readUntil(stream.request("initialize", wanted, deadlineMs)).catch(explain));
  const conversation = text(answer["session_id"]);
  if (conversation === undefined || record(answer["capabilities"])["can_handle_can_use_tool"] !== true)
    throw new ReinsError("protocol_error", "Qwen Code does not ask before it uses tools.", { agent: "qwen" });
  return conversation;
}

/** It is still there, and whatever it prints is no answer. */
function notQwen(cause: unknown): ReinsError {
  return new ReinsError("protocol_error", "Qwen Code printed something that is not its protocol, and no answer.", {
    agent: "qwen",
    help: "Check that the command is really Qwen Code.",
    cause,
  });
}
