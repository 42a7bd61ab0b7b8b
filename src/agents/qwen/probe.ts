/** Whether Qwen Code is here, which version, and who is signed in; without asking a model. */
import { tmpdir } from "node:os";
import { toReinsError } from "../../events/errors.ts";
import { findCommand } from "../../process/index.ts";
import type { AgentContext, Readiness } from "../contract.ts";
import { commandOf } from "./command.ts";
import type { Command } from "./command.ts";
import { signInHelp } from "./errors.ts";
import { environmentOf } from "./launch.ts";
import { signIn } from "./sign-in.ts";
import { isSupported, unsupportedVersion, versionIn } from "./version.ts";

export const installHelp = "Install it with `npm install -g @qwen-code/qwen-code`.";

export async function probe(context: AgentContext): Promise<Readiness> {
  try {
    return await look(context, commandOf(context.env));
  } catch (error) {
    const { message, help } = toReinsError(error);
    return { ready: false, installed: false, signedIn: "unknown", help: `${message} ${help ?? ""}`.trim() };
  }
}

async function look(context: AgentContext, command: Command): Promise<Readiness> {
  const found = await findCommand(command.path, context.env);
  if (found === undefined) return { ready: false, installed: false, signedIn: "unknown", help: installHelp };
  if (!found.executable) {
    return {
      ready: false,
      installed: false,
      path: found.path,
      signedIn: "unknown",
      help: `Make ${found.path} executable, or install it again.`,
    };
  }
  const version = (args: readonly string[]) =>
    context.processes.run(
      { command: found.path, args, cwd: tmpdir(), env: environmentOf(context.env), agent: "qwen" },
      context.deadlines.probe,
    );
  const [about, signed] = await Promise.all([version([...command.args, "--version"]), signIn(context.env)]);
  const known = { installed: true, path: found.path, version: versionIn(about.stdout), ...signed };
  if (known.version === undefined) {
    const what = about.timedOut ? "did not say its version in time" : "did not say its version";
    return { ...known, ready: false, help: `${found.path} ${what}; check that it is Qwen Code.` };
  }
  if (!isSupported(known.version)) {
    const { message, help } = unsupportedVersion(known.version);
    return { ...known, ready: false, help: `${message} ${help}` };
  }
  return signed.signedIn === "no" ? { ...known, ready: false, help: signInHelp } : { ...known, ready: true };
}
