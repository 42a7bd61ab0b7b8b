/** The first exchange: without it a tool that needs somebody's word waits for ever, and nobody is asked. */
import type { StreamJson } from "../../drivers/stream-json/index.ts";
import { record, text } from "../../drivers/stream-json/read.ts";
import { ReinsError } from "../../events/errors.ts";
import { explainStart } from "../shared/stream-json-program.ts";
import { errorOf } from "./errors.ts";
import { exitError } from "./errors-exit.ts";
import { program } from "./program.ts";

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
    return explainStart(program, error, onlyGarbage, (exit, stderrTail) =>
      startFailure === undefined ? exitError(exit, stderrTail, onlyGarbage) : errorOf({ said: startFailure }),
    );
  };
  const wanted = { hooks: null, timeout: { canUseTool: permissionMs } };
  const answer = record(await stream.readUntil(stream.request("initialize", wanted, deadlineMs)).catch(explain));
  const conversation = text(answer["session_id"]);
  if (conversation === undefined || record(answer["capabilities"])["can_handle_can_use_tool"] !== true)
    throw new ReinsError("protocol_error", "Qwen Code does not ask before it uses tools.", { agent: "qwen" });
  return conversation;
}
