/** The version of the program that is about to be started: by the folder it stands in, else as it says itself, once a file. */
import { realpath, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { ReinsError } from "../../events/errors.ts";
import { childEnvironment } from "../../process/index.ts";
import type { AgentContext } from "../contract.ts";
import type { Command } from "../shared/program.ts";
import { program } from "./program.ts";
import { cursorVersionIn } from "./version.ts";

const known = new Map<string, Promise<string | undefined>>();

/** Nothing where it does not say. */
export function installedVersion(command: Command, context: AgentContext): Promise<string | undefined> {
  return statedVersion(command, context).catch(() => undefined);
}

/** Throws where it takes too long. It may be anybody's program: it is given no key. */
export async function statedVersion({ path, args }: Command, context: AgentContext): Promise<string | undefined> {
  const file = await realpath(path).catch(() => path);
  const folder = /[\\/]cursor-agent[\\/]versions[\\/]([^\\/]+)[\\/]/.exec(file)?.[1];
  if (folder !== undefined && args.length === 0) return cursorVersionIn(folder);
  const found = await stat(file).catch(() => undefined);
  // A program that was replaced is asked again.
  const key = JSON.stringify([file, args, found?.mtimeMs, found?.size]);
  let answer = known.get(key);
  if (answer === undefined) {
    answer = asked({ path, args }, context);
    known.set(key, answer);
    // One that only took too long may be quicker the next time.
    answer.catch(() => known.delete(key));
  }
  return answer;
}

async function asked(
  { path, args }: Command,
  { processes, env, deadlines }: AgentContext,
): Promise<string | undefined> {
  const spec = {
    command: path,
    args: [...args, "--version"],
    cwd: tmpdir(),
    env: childEnvironment(env),
    agent: program.id,
  };
  const { stdout, timedOut } = await processes.run(spec, deadlines.probe);
  if (timedOut) throw new ReinsError("timeout", `${path} did not say its version in time.`, { agent: program.id });
  return cursorVersionIn(stdout);
}
