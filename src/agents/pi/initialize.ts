/** The first exchange: it shows that the program is ready, new enough, and held by our extension. */
import { goneOf } from "../../drivers/stream-json/index.ts";
import type { StreamJson } from "../../drivers/stream-json/index.ts";
import { record } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import { ReinsError, toReinsError } from "../../events/errors.ts";
import { program } from "./program.ts";
import { exitError } from "./errors-exit.ts";
import type { Incoming } from "./incoming.ts";

/** What it says about itself: its model, its conversation's file. */
export async function initialize(stream: StreamJson, incoming: Incoming, deadlineMs: number): Promise<Wire> {
  const explain = (error: unknown): never => {
    const gone = goneOf(error);
    const { onlyGarbage } = incoming.translator;
    if (gone === undefined) throw onlyGarbage && toReinsError(error).code === "agent_hung" ? notPi(error) : error;
    // A program that ends here says on stderr what it did not like.
    const info = exitError(gone, gone.stderrTail, onlyGarbage);
    throw new ReinsError(info.code, info.message, { ...info, cause: error });
  };
  // pi does not look at the title; whoever plays a recording of this wire finds there which one was meant.
  const asked = stream.request("get_state", { title: incoming.title }, deadlineMs);
  const state = record(await stream.readUntil(asked).catch(explain));
  if (incoming.holds === undefined)
    throw new ReinsError("protocol_error", "pi does not let Reins hold its tools.", { agent: "pi" });
  await stream.readUntil(stream.request("clear_queue")).catch((error: unknown) => {
    if (goneOf(error) !== undefined) return explain(error);
    const { name, minimalVersion, updateHelp: help } = program;
    const message = `This ${name} is too old; Reins needs ${minimalVersion} or newer.`;
    throw new ReinsError("version_unsupported", message, { agent: "pi", help, cause: error });
  });
  return state;
}

/** It is still there, and whatever it prints is no answer. */
function notPi(cause: unknown): ReinsError {
  return new ReinsError("protocol_error", "pi printed something that is not its protocol, and no answer.", {
    agent: "pi",
    help: "Check that the command is really pi.",
    cause,
  });
}
