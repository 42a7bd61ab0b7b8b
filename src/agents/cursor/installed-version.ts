/** The version of the program that is about to be started: by the folder it stands in, else as it says itself, once a file. */
import { realpath, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { childEnvironment } from "../../process/index.ts";
import type { AgentContext } from "../contract.ts";
import type { Command } from "../shared/program.ts";
import { program } from "./program.ts";
import { cursorVersionIn } from "./version.ts";

const known = new Map<string, Promise<string | undefined>>();

/** Nothing where it does not say. */
export async function installedVersion({ path, args }: Command, context: AgentContext): Promise<string | undefined> {
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
  return processes.run(spec, deadlines.probe).then(
    ({ stdout }) => cursorVersionIn(stdout),
    () => undefined,
  );
}
