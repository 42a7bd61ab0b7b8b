/** The server of one session: a process on loopback with a random password. */
import { randomBytes } from "node:crypto";
import { tmpdir } from "node:os";
import { toReinsError } from "../../events/errors.ts";
import { openJsonRpc } from "../../protocols/json-rpc/index.ts";
import { HttpChannel } from "../../protocols/http/event-lines.ts";
import { goneError } from "../../protocols/process-exit.ts";
import type { Child, LineBatch } from "../../process/types.ts";
import type { AgentContext, AgentSession, OpenOptions } from "../contract.ts";
import { openOrEnd } from "../shared/program/open-or-stop.ts";
import { PrivateFiles } from "../shared/program/private-files.ts";
import type { OpenSession } from "../shared/program/program-agent.ts";
import { requireProgram, type Command } from "../shared/program/program.ts";
import { conversationState } from "../../protocols/conversation-state.ts";
import { pluginText } from "./hold-plugin.ts";
import { explained, isItsOwn, serverFailures } from "./failures.ts";
import { argumentsOf, configOf, connect, hiddenVariables, serverEnvironment, type Ask, type Server } from "./launch.ts";
import { conversationId, environmentOf, program } from "./program.ts";
import { OpencodeSession } from "./session.ts";

/** The server sends a heartbeat every ten seconds. */
const silenceMs = 45_000;
/** The longest request is the summary of a long conversation. */
const longestMs = 900_000;

async function startServer(
  context: AgentContext,
  options: OpenOptions,
  command: Command,
  files: PrivateFiles,
): Promise<Server> {
  const { systemPrompt, env: extra } = options;
  const replaced = systemPrompt?.how === "replace" ? systemPrompt.text : undefined;
  const config = configOf(extra?.["OPENCODE_CONFIG_CONTENT"] ?? context.env["OPENCODE_CONFIG_CONTENT"], {
    plugin: await files.write("hold.js", pluginText(hiddenVariables)),
    systemPrompt: replaced === undefined ? undefined : await files.write("system-prompt.md", replaced),
  });
  const password = randomBytes(24).toString("base64url");
  const beside = new HttpChannel({
    name: "OpenCode",
    agent: "opencode",
    classify: serverFailures.ending,
    headers: { authorization: `Basic ${Buffer.from(`opencode:${password}`).toString("base64")}` },
    fetch: context.fetch,
    maxBytes: context.limits.lineBytes,
    longestMs,
    goneMs: context.deadlines.politeClose,
    silenceMs,
  });
  const child = await context.processes.launch({
    command: command.path,
    args: [...command.args, ...argumentsOf(options)],
    cwd: options.cwd,
    env: { ...environmentOf(context.env, extra), ...serverEnvironment(password, config) },
    agent: "opencode",
    sessionId: options.sessionId,
    stdin: "pipe",
    secondChannel: beside,
  });
  void child.exited.then(() => beside.end());
  return withoutText(child);
}

/** Removes lines that are not messages; one of them contains the address. */
export function withoutText(child: Child): Server {
  const listening = Promise.withResolvers<string>();
  const gone = child.exited.then((exit) => {
    throw goneError("OpenCode", "opencode", exit, child.stderrTail());
  });
  // Prevents an unhandled rejection when nobody awaits it.
  gone.catch(() => {});
  async function* messages(): AsyncGenerator<LineBatch> {
    for await (const { lines, overlong } of child.lines) {
      const kept = lines.filter((line) => line.startsWith("{"));
      for (const line of lines) {
        const url = /listening on (http:\/\/127\.0\.0\.1:\d+)/.exec(line)?.[1];
        if (url !== undefined) listening.resolve(url);
      }
      yield { lines: kept, overlong };
    }
  }
  return {
    url: listening.promise,
    gone,
    child: {
      pid: child.pid,
      lines: messages(),
      write: (text) => child.write(text),
      closeStdin: () => child.closeStdin(),
      stderrTail: () => child.stderrTail(),
      exited: child.exited,
      stop: (how) => child.stop(how),
    },
  };
}

/**
 * Replaces a server that failed for a reason of its own, once. Nothing was prompted yet, so nothing is done twice; at
 * most an empty conversation or an unused copy remains.
 */
export const openSession: OpenSession = async (context, options, command) => {
  try {
    return await openOnce(context, options, command);
  } catch (error) {
    if (options.signal?.aborted === true || !isItsOwn(error)) throw error;
    return openOnce(context, options, command, toReinsError(error).message);
  }
};

/** When this throws, nothing of the server is left. */
async function openOnce(
  context: AgentContext,
  options: OpenOptions,
  command: Command,
  failedBefore?: string,
): Promise<AgentSession> {
  const resume =
    options.state === undefined ? undefined : conversationState(program, conversationId).decode(options.state);
  const files = new PrivateFiles("opencode");
  try {
    const server = await startServer(context, options, command, files);
    const session = new OpencodeSession({ context, options, server, files, resume, failedBefore });
    return await openOrEnd(session, server.child, options.signal);
  } catch (error) {
    await files.remove();
    throw error;
  }
}

/** Starts a server without a session to ask it something. No model is called. */
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
