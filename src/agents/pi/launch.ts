/** Starts pi: converts session options to its command line, and writes its private files. */
import { randomUUID } from "node:crypto";
import { homedir } from "node:os";
import { ReinsError } from "../../events/errors.ts";
import type { AgentContext, AgentSession, OpenOptions } from "../contract.ts";
import { openOrEnd } from "../shared/program/open-or-stop.ts";
import { PrivateFiles } from "../shared/program/private-files.ts";
import type { Command } from "../shared/program/program.ts";
import { namesOf } from "../shared/tool-filter.ts";
import { conversationOf, type Conversation } from "./history.ts";
import { extensionText } from "./hold-extension.ts";
import { environmentOf, piFolder, program } from "./program.ts";
import { PiSession } from "./session.ts";
import { lookingTools, nativeToolNames } from "./tools.ts";

export interface LaunchFiles {
  readonly extension: string;
  readonly systemPrompt?: string | undefined;
}

/** Arguments that Reins sets itself, that end the conversation with it, or that would show a key to others. */
const refused: ReadonlySet<string> = new Set([
  ...["--mode", "--print", "-p", "--help", "-h", "--version", "-v", "--list-models", "--export", "--"],
  ...["--session", "--session-id", "--fork", "--continue", "-c", "--resume", "-r", "--no-session", "--api-key"],
]);

/** Prompts and system prompts are never arguments, because other users can read a command line. */
export function argumentsOf(options: OpenOptions, conversation: Conversation, files: LaunchFiles): string[] {
  const args = ["--mode", "rpc", "--extension", files.extension];
  const add = (flag: string, value: string | undefined) => {
    if (value === undefined) return;
    if (value === "" || value.startsWith("-")) throw invalid(`"${value}" is not a valid value for pi's ${flag}.`);
    args.push(flag, value);
  };
  add(conversation.copy === true ? "--fork" : "--session", conversation.file);
  add("--model", options.model);
  add(options.systemPrompt?.how === "replace" ? "--system-prompt" : "--append-system-prompt", files.systemPrompt);
  const excluded = neverOffered(options.tools);
  if (excluded.length > 0) add("--exclude-tools", excluded.join(","));
  const further = options.extraArgs ?? [];
  const wrong = further.find((argument) => refused.has(argument.split("=", 1)[0]!));
  if (wrong !== undefined) throw invalid(`Reins does not pass the argument ${wrong} to pi.`, "Leave it out.");
  return [...args, ...further];
}

/** Tools that are disallowed for every prompt, so pi need not offer them to its model at all. */
function neverOffered(tools: OpenOptions["tools"]): string[] {
  const rest = namesOf(program, nativeToolNames, tools).disallowed;
  const first = tools?.first === undefined ? rest : namesOf(program, nativeToolNames, tools.first).disallowed;
  return [...rest].filter((name) => first.has(name));
}

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

function invalid(message: string, help?: string): ReinsError {
  return new ReinsError("invalid_input", message, { agent: "pi", help });
}
