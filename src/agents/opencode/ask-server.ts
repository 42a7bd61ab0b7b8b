/** A server without a session, to ask it something about itself. No model is asked. */
import { tmpdir } from "node:os";
import { openJsonRpc } from "../../drivers/json-rpc/index.ts";
import type { AgentContext, OpenOptions } from "../contract.ts";
import { PrivateFiles } from "../shared/private-files.ts";
import { requireProgram } from "../shared/program.ts";
import { explained } from "./errors-start.ts";
import { connect } from "./initialize.ts";
import type { Ask } from "./initialize.ts";
import { program } from "./program.ts";
import { startServer } from "./server.ts";

export async function askServer<Answer>(
  context: AgentContext,
  question: (ask: Ask) => Promise<Answer>,
): Promise<Answer> {
  const files = new PrivateFiles("opencode");
  const options: OpenOptions = { sessionId: "", cwd: tmpdir(), mode: "read" };
  try {
    const command = await requireProgram(program, context.env);
    const { child, url, gone } = await startServer(context, options, command, files);
    const { request: requestMs, start: deadlineMs, drain: drainMs } = context.deadlines;
    const who = { child, name: "OpenCode", agent: "opencode", requestMs, drainMs };
    const rpc = openJsonRpc({ ...who, onNotification: () => {}, onRequest: () => {}, onExit: () => {} });
    try {
      return await rpc.readUntil(connect({ rpc, url, gone, deadlineMs }).then(question));
    } catch (error) {
      throw explained(error);
    } finally {
      await child.stop({ politely: true });
    }
  } finally {
    await files.remove();
  }
}
