/**
 * An agent as a file: `<name>.md` with who it is in the front matter and its system prompt as the body. One that comes with a project
 * may narrow and never widen, as the project's configuration may not.
 */
import { readFile, stat } from "node:fs/promises";
import { basename } from "node:path";
import type { ToolFilter } from "../agents/contract.ts";
import { ReinsError } from "../events/errors.ts";
import type { Mode } from "../events/modes.ts";
import type { AfterSteps } from "./after.ts";
import { namesAgent, narrower } from "./configuration.ts";
import type { ContinueRule } from "./continue.ts";
import { parseFrontMatter } from "./front-matter.ts";

export const agentColors = ["red", "green", "yellow", "blue", "magenta", "cyan", "gray"] as const;

/** What its front matter says. */
export interface AgentFileFacts {
  /** What people read. */
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  /** The agent that does the work, by id. */
  readonly agent?: string | undefined;
  readonly model?: string | undefined;
  readonly mode?: Mode | undefined;
  readonly tools?: ToolFilter | undefined;
  readonly firstPromptTools?: ToolFilter | undefined;
  /** Who takes over: ids, or names of agent files. */
  readonly fallback?: readonly string[] | undefined;
  readonly color?: string | undefined;
  /** Files whose text is added to the system prompt. */
  readonly context?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly locale?: string | undefined;
  readonly after?: AfterSteps | undefined;
  readonly continue?: readonly ContinueRule[] | undefined;
}

export interface AgentFile extends AgentFileFacts {
  /** The name of the file, without `.md`. */
  readonly id: string;
  readonly path: string;
  readonly whose: "person" | "project";
  /** The system prompt. */
  readonly prompt: string;
  /** What it asked for and does not get, a sentence each. */
  readonly ignored: readonly string[];
}

/** More than a system prompt can be in any agent's command line. */
const mostBytes = 100_000;

/** Throws one sentence with the file, the line where it is known, and what is wrong. */
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
    // A link in a cloned project may lead to a device, which has no end.
    if (!found.isFile()) throw new Error("it is not a file.");
    if (found.size > mostBytes) throw new Error(`it is larger than ${mostBytes / 1000} kilobytes.`);
    const { values, body, lineOf } = parseFrontMatter(await readFile(path, "utf8"));
    const { parseAgentFacts } = await import("./agent-file-schema.ts");
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

/** No path in disguise. */
export function isAgentName(name: string): boolean {
  return /^[a-z0-9][a-z0-9-]*$/.test(name);
}

/** A person's own file that only a project asks for: who clones a project has not chosen what the file allows elsewhere. */
export function chosenByProject(file: AgentFile, personsMode: Mode | undefined): AgentFile {
  if (file.whose === "project") return file;
  const { mode, tools, firstPromptTools, ignored } = narrowedFacts(file, personsMode);
  if (ignored.length === 0) return file;
  const remark = `The project chose your agent file ${file.id}: its mode and the tools that it allows count only where you name it yourself.`;
  return { ...file, mode, tools, firstPromptTools, ignored: [remark] };
}

/** What a project's file may say. */
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
