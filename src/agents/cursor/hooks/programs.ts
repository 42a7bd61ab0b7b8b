/** With what the script asks Reins. */
import { childEnvironment, findCommand } from "../../../process/index.ts";
import type { AgentContext } from "../../contract.ts";
import { program } from "../program.ts";
import { perlCheck } from "./shim.ts";
import type { ShimPrograms } from "./shim.ts";

const known = new Map<string, Promise<boolean>>();

export async function shimPrograms(context: AgentContext): Promise<ShimPrograms> {
  const found = process.platform === "win32" ? undefined : await findCommand("perl", context.env);
  const usable = found?.executable === true && (await hasSockets(context, found.path));
  return { node: process.execPath, perl: usable ? found.path : undefined };
}

/** One of a machine that numbers things otherwise is of no use. */
function hasSockets({ processes, env, deadlines }: AgentContext, command: string): Promise<boolean> {
  const spec = {
    command,
    args: ["-f", "-e", perlCheck],
    cwd: "/",
    env: childEnvironment(env),
    agent: program.id,
  };
  const asked =
    known.get(command) ??
    processes.run(spec, deadlines.probe).then(
      ({ stdout, code }) => code === 0 && stdout === "yes",
      () => false,
    );
  known.set(command, asked);
  return asked;
}
