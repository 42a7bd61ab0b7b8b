/** The conversation over ACP. Which tools there are is said when the program starts, so into and out of `read` it starts anew. */
import type { AcpSession } from "../../drivers/acp/index.ts";
import { ReinsError } from "../../events/errors.ts";
import type { OpenOptions } from "../contract.ts";
import type { PrivateFiles } from "../shared/private-files.ts";
import { RestartingSession } from "../shared/restarting-session.ts";
import type { RestartingOptions } from "../shared/restarting-session.ts";
import { program } from "./program.ts";

export function copilotSession(
  first: AcpSession,
  start: RestartingOptions["start"],
  options: OpenOptions,
  files: PrivateFiles,
): RestartingSession {
  return new RestartingSession({
    program,
    first,
    start,
    options,
    restarts: (from, to) => (from === "read") !== (to === "read"),
    refuse: refuseLooseCommand,
    ended: () => files.remove(),
  });
}

/** Commands of its own that would let it do more than the mode of the session says. */
const looseCommand = /^\s*(\/(?:allow-all|yolo|permissions|autopilot))\b/;

function refuseLooseCommand(text: string): void {
  const command = looseCommand.exec(text)?.[1];
  if (command === undefined) return;
  throw new ReinsError("invalid_input", `Reins cannot hold ${program.name}'s tools with its command ${command}.`, {
    agent: program.id,
    help: "Choose the mode of the session instead.",
  });
}
