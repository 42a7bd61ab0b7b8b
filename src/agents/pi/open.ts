/** From options to a conversation that takes prompts. */
import { randomUUID } from "node:crypto";
import { homedir } from "node:os";
import type { AgentContext, AgentSession, OpenOptions } from "../contract.ts";
import { openOrEnd } from "../shared/open-or-end.ts";
import { PrivateFiles } from "../shared/private-files.ts";
import type { Command } from "../shared/program.ts";
import { conversationOf } from "./conversation.ts";
import { extensionText } from "./hold-extension.ts";
import { argumentsOf, environmentOf } from "./launch.ts";
import { PiSession } from "./session.ts";
import { piFolder } from "./state.ts";
import { lookingTools } from "./tools.ts";

export async function openSession(
  context: AgentContext,
  options: OpenOptions,
  command: Command,
): Promise<AgentSession> {
  const files = new PrivateFiles("pi");
  const title = randomUUID();
  const env = environmentOf(context.env, options.env);
  const home = env["HOME"] ?? homedir();
  try {
    const conversation = await conversationOf(options, files, piFolder(env, home));
    const { systemPrompt } = options;
    const args = argumentsOf(options, conversation, {
      // Without its shell it could only read files whose names it knows.
      extension: await files.write(
        "hold.js",
        extensionText({ title, tools: options.mode === "read" ? lookingTools : [] }),
      ),
      systemPrompt: systemPrompt && (await files.write("system-prompt.md", systemPrompt.text)),
    });
    const child = await context.processes.launch({
      command: command.path,
      args: [...command.args, ...args],
      cwd: options.cwd,
      env,
      agent: "pi",
      sessionId: options.sessionId,
      stdin: "pipe",
    });
    const session = new PiSession({ context, options, child, files, title, home, folder: piFolder(env, home) });
    return await openOrEnd(session, child, options.signal);
  } catch (error) {
    await files.remove();
    throw error;
  }
}
