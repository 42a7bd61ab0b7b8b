/** A session's options with what an agent file says: what the call says itself goes before it. */
import { readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { resolve } from "node:path";
import type { OpenOptions, ToolFilter } from "../agents/contract.ts";
import { ReinsError } from "../events/errors.ts";
import type { AgentFile } from "./agent-file.ts";
import type { SessionOptions } from "./api.ts";
import { isInside } from "./inside.ts";

/** All files of `context` together. */
const mostContextBytes = 100_000;

export interface WithFile {
  readonly options: SessionOptions;
  /** What the file asked for and does not get. */
  readonly remarks: readonly string[];
}

export async function withAgentFile(wanted: SessionOptions, file: AgentFile, cwd: string): Promise<WithFile> {
  const remarks = [...file.ignored];
  const prompt = [file.prompt, ...(await contextOf(file, cwd, remarks))].filter((part) => part !== "").join("\n\n");
  const options: SessionOptions = {
    ...wanted,
    agent: file.agent,
    model: wanted.model ?? file.model,
    mode: wanted.mode ?? file.mode,
    locale: wanted.locale ?? file.locale,
    fallback: wanted.fallback ?? file.fallback,
    after: wanted.after ?? file.after,
    continue: wanted.continue ?? file.continue,
    env: file.env === undefined ? wanted.env : { ...file.env, ...wanted.env },
    tools: toolsOf(file, wanted.tools),
    systemPrompt: promptWith(prompt, wanted.systemPrompt),
  };
  return { options, remarks };
}

function toolsOf(file: AgentFile, wanted: OpenOptions["tools"]): OpenOptions["tools"] {
  if (file.tools === undefined && file.firstPromptTools === undefined) return wanted;
  return {
    ...both(file.tools, wanted),
    // It counts instead of the others, and must not take out what the call or the file says about every prompt.
    ...((file.firstPromptTools ?? wanted?.first) && {
      first: both(file.firstPromptTools ?? file.tools, wanted?.first ?? wanted),
    }),
  };
}

function both(one: ToolFilter | undefined, other: ToolFilter | undefined): ToolFilter {
  const joined = (name: keyof ToolFilter) => {
    const names = [...(one?.[name] ?? []), ...(other?.[name] ?? [])];
    return names.length === 0 ? undefined : names;
  };
  return { allowed: joined("allowed"), disallowed: joined("disallowed") };
}

function promptWith(text: string, wanted: OpenOptions["systemPrompt"]): OpenOptions["systemPrompt"] {
  if (text === "") return wanted;
  return wanted === undefined ? { text, how: "append" } : { ...wanted, text: `${text}\n\n${wanted.text}` };
}

/** The text of the files that it wants known. One that is not there is said and left out. */
async function contextOf(file: AgentFile, cwd: string, remarks: string[]): Promise<readonly string[]> {
  const parts: string[] = [];
  let left = mostContextBytes;
  for (const name of file.context ?? []) {
    const path = resolve(cwd, name.replace(/^~(?=\/)/, homedir()));
    if (file.whose === "project" && !isInside(path, [cwd], cwd))
      throw new ReinsError(
        "invalid_input",
        `The agent file ${file.path} wants ${name} known, which is outside of the workspace.`,
        {
          help: "Only a file of your own may name such a file.",
        },
      );
    const found = await stat(path).catch(() => undefined);
    if (found?.isFile() !== true) remarks.push(`The agent file wants ${name} known, and there is no such file.`);
    else if ((left -= found.size) < 0) remarks.push(`The agent file wants ${name} known, and there is too much of it.`);
    else parts.push(`# ${name}\n\n${(await readFile(path, "utf8")).trim()}`);
  }
  return parts;
}
