/** Starts a process. A failure becomes an error with one clear sentence. */
import { spawn as nodeSpawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import type { Readable } from "node:stream";
import { ReinsError, type ErrorCode, type ErrorDetails } from "../../events/errors.ts";
import type { Limits } from "../../events/limits.ts";
import type { Redactor } from "../../events/redact.ts";
import { readLines } from "../output/lines.ts";
import type { Child, LaunchSpec } from "../types.ts";
import { findCommand } from "./find-command.ts";
import type { Running } from "./running.ts";

/** Checks for problems that the system reports only as ENOENT or EACCES. Returns the path of the program. */
export async function checkSpec(spec: Pick<LaunchSpec, "command" | "cwd" | "env" | "agent">): Promise<string> {
  const { command, cwd, agent } = spec;
  const refused = (code: ErrorCode, message: string, help: string, cause?: unknown) =>
    new ReinsError(code, message, { agent, help, cause });
  const folder = await stat(cwd).catch(() => undefined);
  if (!folder) throw refused("invalid_input", `The folder ${cwd} does not exist.`, "Create it, or choose another.");
  if (!folder.isDirectory()) throw refused("invalid_input", `${cwd} is not a folder.`, "Choose a folder.");
  await access(cwd, constants.X_OK).catch((cause: unknown) => {
    const help = "Choose a folder you have access to.";
    throw refused("invalid_input", `The folder ${cwd} cannot be accessed.`, help, cause);
  });
  const found = await findCommand(command, spec.env);
  if (!found) {
    const message = `The program ${JSON.stringify(command)} was not found${command.includes("/") ? "" : " on PATH"}.`;
    throw refused("not_installed", message, "Install it, or give the full path of the program.");
  }
  if (found.executable) return found.path;
  const help = `Run \`chmod +x ${found.path}\`, or give the path of another program.`;
  throw refused("not_installed", `${found.path} is not executable.`, help);
}

export interface PipedProcess extends ChildProcess {
  readonly pid: number;
  stdout: Readable;
  stderr: Readable;
}

/** Starts the program in a session and group of its own, without a shell. Resolves when the process runs. */
export async function spawn(
  path: string,
  spec: LaunchSpec,
  marks: Readonly<Record<string, string>>,
): Promise<PipedProcess> {
  try {
    const child = nodeSpawn(path, spec.args, {
      cwd: spec.cwd,
      env: { ...spec.env, ...marks },
      detached: true,
      shell: false,
      windowsHide: true,
      stdio: [spec.stdin, "pipe", "pipe"],
    }) as PipedProcess;
    if (child.pid === undefined) await once(child, "spawn");
    // Later errors are about signals and messages, which Reins does not send this way.
    child.on("error", () => {});
    return child;
  } catch (cause) {
    throw spawnError(cause, path, spec.agent);
  }
}

function spawnError(cause: unknown, path: string, agent: string): ReinsError {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  const error = (kind: ErrorCode, message: string, more: ErrorDetails = {}) =>
    new ReinsError(kind, message, { agent, cause, ...more });
  switch (code) {
    case "ENOENT":
      return error("not_installed", `${path} could not be started: the interpreter its first line names is missing.`, {
        help: "Install that interpreter, or give the path of another program.",
      });
    case "EACCES":
    case "ENOEXEC":
    case "EINVAL":
      return error("not_installed", `${path} is not a program this machine can run (${code}).`, {
        help: "Give the path of another program.",
      });
    case "E2BIG":
      return error("invalid_input", `The arguments or variables for ${path} are too long for this machine.`);
    case "ERR_INVALID_ARG_VALUE":
      return error("invalid_input", `An argument or variable for ${path} contains a null character.`);
    default:
      return error("internal", `${path} could not be started (${code || String(cause)}).`, {
        retryable: true,
        help: "The machine may be out of processes, files or memory; try again.",
      });
  }
}

export function createChild(running: Running, limits: Limits, redact: Redactor): Child {
  const { stdin, pid } = running.process;
  return {
    pid,
    lines: readLines(running.stdout, limits.lineBytes),
    exited: running.exited,
    write(text) {
      if (!stdin?.writable) return Promise.resolve();
      return new Promise((resolve) => stdin.write(text, () => resolve()));
    },
    closeStdin() {
      stdin?.end();
    },
    stderrTail: () => running.stderr.text(redact),
    stop: ({ politely = true } = {}) => running.stop(politely),
  };
}
