import { readFile, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ReinsError, toReinsError } from "../../../events/errors.ts";
import { findCommand, findCommands } from "../../../process/index.ts";
import type { Output } from "../../../process/types.ts";
import { parseJson, record } from "../../../protocols/json.ts";
import type { AgentContext, Readiness } from "../../contract.ts";
import { variableOf } from "../../variable.ts";
import { isAtLeast, versionIn } from "./version.ts";

export interface Program {
  readonly id: string;
  readonly name: string;
  /** Its name on the PATH. */
  readonly command: string;
  /** Its npm package. The version is read from the package folder. */
  readonly package?: string | undefined;
  /** For example "Install it with `npm install -g ...`." */
  readonly installHelp: string;
  /** For example "Update it with `...`." */
  readonly updateHelp: string;
  /** Finds the version in the output of `--version`, for versions that are more than three numbers. */
  readonly versionIn?: ((said: string) => string | undefined) | undefined;
  /** The oldest version with everything that the agent's folder needs. */
  readonly minimalVersion?: string | undefined;
}

export interface Command {
  readonly path: string;
  readonly args: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The program's own name, or the value of REINS_<AGENT>_COMMAND: a name, a path (spaces are part of it), or a JSON
 * array of a program and its first arguments: `["node","/opt/some/cli.js"]`.
 */
export function commandOf({ id, command }: Pick<Program, "id" | "command">, env: Environment): Command {
  const variable = variableOf(id, "COMMAND");
  const given = env[variable]?.trim() ?? "";
  if (given === "") return { path: command, args: [] };
  if (!given.startsWith("[")) return { path: given, args: [] };
  const [path, ...args] = words(given, variable, id);
  return { path: path!, args };
}

function words(json: string, variable: string, agent: string): string[] {
  const parsed = parseJson(json);
  if (Array.isArray(parsed) && parsed.length > 0 && parsed.every((word) => typeof word === "string" && word !== ""))
    return parsed as string[];
  throw new ReinsError("invalid_input", `${variable} starts like a JSON array but is not an array of strings.`, {
    agent,
    help: 'Set it to a path, or to an array such as ["node","/opt/some/cli.js"].',
  });
}

/** Throws `not_installed`. */
export async function requireProgram(program: Program, env: Environment): Promise<Command> {
  const command = commandOf(program, env);
  if ((await findCommand(command.path, env)) !== undefined) return command;
  throw new ReinsError("not_installed", `${program.name} was not found (${command.path}).`, {
    agent: program.id,
    help: program.installHelp,
  });
}

/** The error for a program that is too old. `version` is undefined when the program only failed the way an old one does. */
export function unsupportedVersion(
  { id, name, minimalVersion, updateHelp }: Program,
  version?: string,
  cause?: unknown,
): ReinsError {
  const which = version === undefined ? `This ${name}` : `${name} ${version}`;
  const message = `${which} is older than the oldest version Reins works with (${minimalVersion}).`;
  return new ReinsError("version_unsupported", message, { agent: id, help: updateHelp, cause });
}

/** Throws when the version in the program's first answer is too old. A text without a version passes. */
export function requireVersion(program: Program, reported: string | undefined): void {
  const version = versionIn(reported ?? "");
  if (version !== undefined && !isSupported(program, version)) throw unsupportedVersion(program, version);
}

/** The error for a program that refused an argument that every supported version knows. Asks the program for its version. */
export async function tooOld(
  program: Program,
  { path, args }: Command,
  { processes, deadlines }: AgentContext,
  env: Record<string, string>,
  cause: unknown,
): Promise<ReinsError> {
  const asked = { command: path, args: [...args, "--version"], cwd: tmpdir(), env, agent: program.id };
  const about = await processes.run(asked, deadlines.probe).catch(() => undefined);
  const version = (program.versionIn ?? versionIn)(about?.stdout ?? "");
  // A wrapper may report a newer version than the one it runs.
  const older = version !== undefined && !isSupported(program, version);
  return unsupportedVersion(program, older ? version : undefined, cause);
}

export function isSupported({ minimalVersion }: Program, version: string): boolean {
  return minimalVersion === undefined || isAtLeast(version, minimalVersion);
}

/** Runs the program to its end, with the deadline of a probe. */
export type RunProgram = (...args: string[]) => Promise<Output>;

export interface SignIn {
  readonly signedIn: Readiness["signedIn"];
  readonly signedInHow?: string | undefined;
  readonly email?: string | undefined;
  readonly help?: string | undefined;
}

/** Finds the program, its version and, through `signIn`, who is signed in. Never throws. */
export async function probeProgram(
  program: Program,
  context: AgentContext,
  {
    env,
    signIn,
    command: given,
  }: {
    readonly env: Record<string, string>;
    readonly signIn: (run: RunProgram) => Promise<SignIn>;
    readonly command?: Command | undefined;
  },
): Promise<Readiness> {
  const nothing = { ready: false, installed: false, signedIn: "unknown" } as const;
  try {
    const command = given ?? commandOf(program, context.env);
    const found = await findCommand(command.path, context.env);
    if (found === undefined) return { ...nothing, help: program.installHelp };
    if (!found.executable)
      return { ...nothing, path: found.path, help: `Make ${found.path} executable, or install it again.` };
    const run: RunProgram = (...args) =>
      context.processes.run(
        { command: found.path, args: [...command.args, ...args], cwd: tmpdir(), env, agent: program.id },
        context.deadlines.probe,
      );
    // A command with arguments is another program, such as node, that starts this one.
    const plain = command.args.length === 0 ? program.package : undefined;
    const beside = plain === undefined ? undefined : await packageVersion(found.path, plain);
    const [about, { help, ...who }, all] = await Promise.all([
      beside === undefined ? run("--version") : undefined,
      signIn(run),
      findCommands(command.path, context.env),
    ]);
    const version = beside ?? (program.versionIn ?? versionIn)(about?.stdout ?? "");
    const others = all.filter((path) => path !== found.path);
    const known = { installed: true, path: found.path, ...(others.length > 0 && { others }), version, ...who };
    if (version === undefined) {
      const what = about?.timedOut === true ? "did not report its version in time" : "did not report its version";
      return { ...known, ready: false, help: `${found.path} ${what}; check that it is ${program.name}.` };
    }
    if (!isSupported(program, version)) {
      const { message } = unsupportedVersion(program, version);
      return { ...known, ready: false, help: `${message} ${program.updateHelp}` };
    }
    return who.signedIn === "no" ? { ...known, ready: false, help } : { ...known, ready: true };
  } catch (error) {
    const { message, help } = toReinsError(error);
    return { ...nothing, help: `${message} ${help ?? ""}`.trim() };
  }
}

/** Number of parent folders to search for the package. */
const levels = 4;

/**
 * The version of a program that npm installed, from its package.json: starting some programs takes more than a second.
 * Undefined when the program is not part of the package `name`.
 */
export async function packageVersion(program: string, name: string): Promise<string | undefined> {
  let folder = dirname(await realpath(program).catch(() => program));
  for (let level = 0; level < levels; level++, folder = dirname(folder)) {
    const { name: found, version } = record(
      parseJson(await readFile(join(folder, "package.json"), "utf8").catch(() => "")),
    );
    if (found === name && typeof version === "string") return version;
  }
  return undefined;
}
