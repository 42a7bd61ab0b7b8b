/**
 * Agent files: `<name>.md` with settings in the front matter and a system prompt as the body. Like the project's
 * configuration, a project's agent file can only restrict what an agent may do.
 */
import { readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, resolve } from "node:path";
import type { OpenOptions, ToolFilter } from "../../agents/contract.ts";
import type { SessionOptions } from "../api.ts";
import type { AfterSteps } from "../session/after-steps.ts";
import type { ContinueRule } from "../session/after-turn.ts";
import { ReinsError } from "../../events/errors.ts";
import type { Mode } from "../../events/modes.ts";
import { isInside } from "../../workspace/real-paths.ts";
import { namesAgent, narrower } from "./config.ts";
import { parseFrontMatter } from "./front-matter.ts";

/** Named colours for the front matter field `color`. */
export const agentColors = ["red", "green", "yellow", "blue", "magenta", "cyan", "gray"] as const;

/** Settings in the front matter of an agent file. */
export interface AgentFileFacts {
  /** Name for people. Default: the name of the file. */
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  /** Id of the agent that does the work. */
  readonly agent?: string | undefined;
  readonly model?: string | undefined;
  readonly mode?: Mode | undefined;
  readonly tools?: ToolFilter | undefined;
  readonly firstPromptTools?: ToolFilter | undefined;
  /** Agents that take over: ids, or names of agent files. */
  readonly fallback?: readonly string[] | undefined;
  readonly color?: string | undefined;
  /** Files whose text is appended to the system prompt. */
  readonly context?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly locale?: string | undefined;
  readonly after?: AfterSteps | undefined;
  readonly continue?: readonly ContinueRule[] | undefined;
}

/** An agent file: `<name>.md`, with settings in the front matter and a system prompt as the body. */
export interface AgentFile extends AgentFileFacts {
  /** The file name without `.md`. Pass it as `agent`. */
  readonly id: string;
  readonly path: string;
  /** `person`: from the user's own folder. `project`: from `.reins/agents` of the project. */
  readonly whose: "person" | "project";
  readonly prompt: string;
  /** Settings that were ignored, one sentence each. */
  readonly ignored: readonly string[];
}

/** Larger than a system prompt can be on any agent's command line. */
const mostBytes = 100_000;

/** Throws one sentence with the file, the line when known, and the problem. */
export async function readAgentFile(
  path: string,
  whose: AgentFile["whose"],
  personsMode: Mode | undefined,
): Promise<AgentFile> {
  const id = basename(path, ".md");
  const file = { id, path, whose };
  try {
    if (!isAgentName(id)) throw new Error("its name must be lower-case letters, digits and hyphens, and `.md`.");
    const found = await stat(path);
    // A symlink in a cloned project may point to a device, which has no end.
    if (!found.isFile()) throw new Error("it is not a file.");
    if (found.size > mostBytes) throw new Error(`it is larger than ${mostBytes / 1000} kilobytes.`);
    const { values, body, lineOf } = await parseFrontMatter(await readFile(path, "utf8"));
    const { parseAgentFacts } = await import("./config-schema.ts");
    const facts = parseAgentFacts(values, lineOf);
    if (whose === "person") return { ...facts, ...file, prompt: body, ignored: [] };
    if (facts.agent !== undefined && !namesAgent(facts.agent))
      throw new Error("it names a command as its agent; only you can start one, from a file of your own.");
    return { ...narrowedFacts(facts, personsMode), ...file, prompt: body };
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    throw new ReinsError("invalid_input", `The agent file ${path} cannot be used: ${why}`, {
      help: "Correct it or remove it.",
      cause: thrown,
    });
  }
}

export function isAgentName(name: string): boolean {
  return /^[a-z0-9][a-z0-9-]*$/.test(name);
}

/** Restricts a user's own file that only the project selects: a user who clones a project has not chosen what the file allows elsewhere. */
export function chosenByProject(file: AgentFile, personsMode: Mode | undefined): AgentFile {
  if (file.whose === "project") return file;
  const { mode, tools, firstPromptTools, ignored } = narrowedFacts(file, personsMode);
  if (ignored.length === 0) return file;
  const remark = `The project selected your agent file ${file.id}: its mode and allowed tools apply only when you select it yourself.`;
  return { ...file, mode, tools, firstPromptTools, ignored: [remark] };
}

function narrowedFacts(
  { env, ...facts }: AgentFileFacts,
  personsMode: Mode | undefined,
): AgentFileFacts & Pick<AgentFile, "ignored"> {
  const mode = facts.mode === undefined ? undefined : narrower(facts.mode, personsMode);
  const fallback = facts.fallback?.filter(namesAgent);
  const allowed = [facts.tools, facts.firstPromptTools].some((tools) => tools?.allowed !== undefined);
  const ignored = [
    mode !== facts.mode && `asks for mode ${facts.mode}; only you can allow that.`,
    env !== undefined && "sets variables; only you can do that.",
    fallback?.length !== facts.fallback?.length && "names a command as a fallback; only you can start one.",
    allowed && "allows tools; only you can do that.",
  ].filter((said) => said !== false);
  return {
    ...facts,
    mode,
    fallback,
    tools: facts.tools && { disallowed: facts.tools.disallowed },
    firstPromptTools: facts.firstPromptTools && { disallowed: facts.firstPromptTools.disallowed },
    ignored: ignored.map((said) => `The project's agent file ${said}`),
  };
}

const mostContextBytes = 100_000;

export async function withAgentFile(
  wanted: SessionOptions,
  file: AgentFile,
  cwd: string,
): Promise<{ readonly options: SessionOptions; readonly remarks: readonly string[] }> {
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
    // `first` replaces the common filter, so it must repeat the tools that the call or the file disallows for every prompt.
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

/** Texts of the files in `context`. A missing file is reported and skipped. */
async function contextOf(file: AgentFile, cwd: string, remarks: string[]): Promise<readonly string[]> {
  const parts: string[] = [];
  let left = mostContextBytes;
  for (const name of file.context ?? []) {
    const path = resolve(cwd, name.replace(/^~(?=\/)/, homedir()));
    if (file.whose === "project" && !isInside(path, [cwd], cwd))
      throw new ReinsError(
        "invalid_input",
        `The agent file ${file.path} wants ${name} as context, which is outside of the workspace.`,
        { help: "Only your own agent file may name a file outside of the workspace." },
      );
    const found = await stat(path).catch(() => undefined);
    if (found?.isFile() !== true) remarks.push(`The agent file lists ${name} as context, but the file does not exist.`);
    else if ((left -= found.size) < 0) remarks.push(`The agent file lists ${name} as context, but it is too large.`);
    else parts.push(`# ${name}\n\n${(await readFile(path, "utf8")).trim()}`);
  }
  return parts;
}
