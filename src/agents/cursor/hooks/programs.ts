/** With what the script asks Reins. */
import { childEnvironment, findCommand } from "../../../process/index.ts";
import type { AgentContext } from "../../contract.ts";
import { program } from "../program.ts";
import type { ShimPrograms } from "./shim.ts";

const known = new Map<string, Promise<boolean>>();

export async function shimPrograms(context: AgentContext): Promise<ShimPrograms> {
  const found = process.platform === "win32" ? undefined : await findCommand("curl", context.env);
  const usable = found?.executable === true && (await speaksUnix(context, found.path));
  return { node: process.execPath, curl: usable ? found.path : undefined };
}

/** An old one, or one that was built small, knows no Unix sockets. */
function speaksUnix({ processes, env, deadlines }: AgentContext, command: string): Promise<boolean> {
  const spec = { command, args: ["--version"], cwd: "/", env: childEnvironment(env), agent: program.id };
  const asked =
    known.get(command) ??
    processes.run(spec, deadlines.probe).then(
      ({ stdout, code }) => code === 0 && /\bUnixSockets\b/i.test(stdout),
      () => false,
    );
  known.set(command, asked);
  return asked;
}
