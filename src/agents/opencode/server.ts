/** OpenCode's server for one session: a process of its own, on loopback, with a password that nobody else knows. */
import { randomBytes } from "node:crypto";
import { HttpBeside } from "../../drivers/http/index.ts";
import { goneError } from "../../drivers/shared/gone.ts";
import type { Child, LineBatch } from "../../process/types.ts";
import type { AgentContext, OpenOptions } from "../contract.ts";
import type { PrivateFiles } from "../shared/private-files.ts";
import type { Command } from "../shared/program.ts";
import { pluginText } from "./hold-plugin.ts";
import { argumentsOf, configOf, environmentOf, hiddenVariables, serverEnvironment } from "./launch.ts";

/** It says that it is there every ten seconds. */
const silenceMs = 45_000;
/** Summing up a long conversation is the longest that is asked for. */
const longestMs = 900_000;

export interface Server {
  /** Its lines are JSON-RPC, and requests to it go over HTTP. */
  readonly child: Child;
  /** Where it listens, once it does. */
  readonly url: Promise<string>;
  /** Rejects when the process ends. */
  readonly gone: Promise<never>;
}

export async function startServer(
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
  const beside = new HttpBeside({
    name: "OpenCode",
    agent: "opencode",
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
    beside,
  });
  void child.exited.then(() => beside.end());
  return withoutText(child);
}

/** Takes lines out that are no messages; one of them tells where it listens. */
export function withoutText(child: Child): Server {
  const listening = Promise.withResolvers<string>();
  const gone = child.exited.then((exit) => {
    throw goneError("OpenCode", "opencode", exit, child.stderrTail());
  });
  // Perhaps nobody waits for it.
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
