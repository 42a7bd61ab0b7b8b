/** Cursor's program on this machine: its names, version, environment, sign-in, and the probe. */
import { realpath, stat } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { ReinsError, toReinsError, type ErrorCode } from "../../events/errors.ts";
import { childEnvironment, findCommands } from "../../process/index.ts";
import { parseJson, record, text } from "../../protocols/json.ts";
import type { AgentContext, Readiness } from "../contract.ts";
import { commandOf, probeProgram, type Command, type Program, type SignIn } from "../shared/program/program.ts";
import { isSafeForKeys } from "../shared/program/safe-address.ts";
import { words } from "../shared/words.ts";
import { variableOf } from "../variable.ts";

type Environment = AgentContext["env"];

export const program: Program = {
  id: "cursor",
  name: "Cursor",
  command: "cursor-agent",
  installHelp: "Install it with `curl https://cursor.com/install -fsS | bash`.",
  updateHelp: "Update it with `reins update cursor`.",
  versionIn: cursorVersionIn,
};

/** Not `agent login`: on this machine `agent` may be another program. */
export const signInHelp = "Run `reins login cursor`, or set CURSOR_API_KEY.";

export function cursorError(code: ErrorCode, message: string, help?: string, cause?: unknown): ReinsError {
  return new ReinsError(code, message, { agent: program.id, help, cause });
}

/** A version is a date and a build, such as `2026.10.01-e373342`, alone on its line; no other program called `agent` prints one. */
export function cursorVersionIn(said: string): string | undefined {
  return /^\s*(\d{4}\.\d{2}\.\d{2}-[0-9A-Za-z-]+)\s*$/.exec(said)?.[1];
}

/** The non-empty lines of an output, trimmed and without colours. */
export function linesOf(output: string): string[] {
  const plain = output.replaceAll(/\u001b\[[0-9;?]*[A-Za-z]/g, "");
  return plain.split(/\r\n|[\r\n]/).flatMap((line) => line.trim() || []);
}

export function cursorFolder(env: Environment): string {
  const own = env["XDG_CONFIG_HOME"];
  return env["CURSOR_CONFIG_DIR"] || (own ? join(own, "cursor") : join(env["HOME"] || homedir(), ".cursor"));
}

/** In the order in which Cursor prefers them. Keys are passed only in the environment, never on a command line. */
export const keyVariables: readonly string[] = ["CURSOR_API_KEY", "CURSOR_AUTH_TOKEN"];

/** Listed by name: a Cursor that runs Reins sets further CURSOR_ variables, which belong to its own session. */
const declared = [
  ...keyVariables,
  ...words("CURSOR_API_ENDPOINT CURSOR_CONFIG_DIR AGENT_CLI_CREDENTIAL_STORE NODE_USE_ENV_PROXY SSH_AUTH_SOCK"),
];

export function environmentOf(parentEnv: Environment, extra: Readonly<Record<string, string>> = {}) {
  const endpoint = endpointIn(parentEnv);
  const set = { NO_OPEN_BROWSER: "1", ...(endpoint !== "" && { CURSOR_API_ENDPOINT: endpoint }) };
  return { ...childEnvironment(parentEnv, { names: declared, set }), ...extra };
}

/** The error does not repeat the address, which may contain a password. */
function endpointIn(env: Environment): string {
  const variable = variableOf(program.id, "ENDPOINT");
  const given = env[variable]?.trim() ?? "";
  const url = URL.parse(given);
  if (given === "" || (url !== null && isSafeForKeys(url))) return given;
  const help = "Cursor sends its key there. Set it to an address such as https://api2.cursor.sh, or leave it out.";
  throw cursorError("invalid_input", `${variable} is neither an https address nor an address of this machine.`, help);
}

export function keyOf(env: Environment): SignIn | undefined {
  const variable = keyVariables.find((name) => env[name]);
  if (variable === undefined) return undefined;
  const what = variable === "CURSOR_API_KEY" ? "API key" : "token";
  return { signedIn: "yes", signedInHow: `${what} (${variable})` };
}

/** Parses `status --format json`; versions that do not know the format print a sentence. */
export function signInIn(stdout: string): SignIn {
  const status = record(parseJson(stdout));
  const said = /\bnot logged in\b/i.test(stdout) ? false : /\blogged in\b/i.test(stdout) || undefined;
  const signedIn = status["isAuthenticated"] ?? said;
  if (typeof signedIn !== "boolean") return { signedIn: "unknown" };
  if (!signedIn) return { signedIn: "no", help: signInHelp };
  const email = text(record(status["userInfo"])["email"]) ?? /Logged in as (\S+@\S+)/.exec(stdout)?.[1];
  return { signedIn: "yes", signedInHow: email === undefined ? "account" : `account ${email}` };
}

const knownVersions = new Map<string, Promise<string | undefined>>();

export function installedVersion(command: Command, context: AgentContext): Promise<string | undefined> {
  return statedVersion(command, context).catch(() => undefined);
}

/** Read from the folder of the program, or else asked once per file. Throws when the program takes too long. */
async function statedVersion({ path, args }: Command, context: AgentContext): Promise<string | undefined> {
  const file = await realpath(path).catch(() => path);
  const folder = /[\\/]cursor-agent[\\/]versions[\\/]([^\\/]+)[\\/]/.exec(file)?.[1];
  if (folder !== undefined && args.length === 0) return cursorVersionIn(folder);
  const found = await stat(file).catch(() => undefined);
  // A replaced program is asked again.
  const key = JSON.stringify([file, args, found?.mtimeMs, found?.size]);
  let answer = knownVersions.get(key);
  if (answer === undefined) {
    answer = askVersion({ path, args }, context);
    knownVersions.set(key, answer);
    answer.catch(() => knownVersions.delete(key));
  }
  return answer;
}

/** The program may not be Cursor at all, so it gets no key. */
async function askVersion({ path, args }: Command, { processes, env, deadlines }: AgentContext) {
  const asked = { command: path, args: [...args, "--version"], cwd: tmpdir(), env: childEnvironment(env) };
  const { stdout, timedOut } = await processes.run({ ...asked, agent: program.id }, deadlines.probe);
  if (timedOut) throw cursorError("timeout", `${path} did not report its version in time.`);
  return cursorVersionIn(stdout);
}

/** The older name first: unlike `agent`, no other program has it. */
const names = [program.command, "agent"];

interface Search {
  readonly command?: Command | undefined;
  /** Programs of these names that are not known to be Cursor, each with the reason. */
  readonly strangers: readonly string[];
}

export async function findCursor(context: AgentContext): Promise<Search> {
  const { env } = context;
  if (env[variableOf(program.id, "COMMAND")]?.trim()) return { command: commandOf(program, env), strangers: [] };
  const strangers: string[] = [];
  for (const name of names)
    for (const path of await findCommands(name, env)) {
      const command = { path, args: [] };
      try {
        if ((await statedVersion(command, context)) !== undefined) return { command, strangers };
        strangers.push(`${path} is something else`);
      } catch {
        strangers.push(`${path} did not report its version in time`);
      }
    }
  return { strangers };
}

export async function requireCursor(context: AgentContext): Promise<Command> {
  const { command, strangers } = await findCursor(context);
  if (command === undefined) throw cursorError("not_installed", notFound(strangers), program.installHelp);
  return command;
}

function notFound(strangers: readonly string[]): string {
  return `${[`${program.name} was not found (${names.join(", ")})`, ...strangers].join("; ")}.`;
}

export async function probe(context: AgentContext): Promise<Readiness> {
  const missing = (help: string): Readiness => ({ ready: false, installed: false, signedIn: "unknown", help });
  try {
    const { command, strangers } = await findCursor(context);
    if (command === undefined)
      return missing(strangers.length === 0 ? program.installHelp : `${notFound(strangers)} ${program.installHelp}`);
    const env = environmentOf(context.env);
    return await probeProgram(program, context, {
      command,
      env,
      signIn: async (run) => keyOf(env) ?? signInIn((await run("status", "--format", "json")).stdout),
    });
  } catch (error) {
    const { message, help } = toReinsError(error);
    return missing(`${message} ${help ?? ""}`.trim());
  }
}
