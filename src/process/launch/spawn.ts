/** The start of one process, and one clear sentence when it fails. */
import { spawn as nodeSpawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import type { Readable } from "node:stream";
import { ReinsError } from "../../events/errors.ts";
import type { ErrorDetails } from "../../events/errors.ts";
import type { Limits } from "../../events/limits.ts";
import type { Redactor } from "../../events/redact.ts";
import { readLines } from "../output/lines.ts";
import type { Child, LaunchSpec } from "../types.ts";
import { findCommand } from "./find-command.ts";
import type { Running } from "./running.ts";

/** Checks what the system would answer to with a bare ENOENT or EACCES; returns the path of the program. */
export async function checkSpec(spec: Pick<LaunchSpec, "command" | "cwd" | "env" | "agent">): Promise<string> {
  const { command, cwd, agent } = spec;
  const folder = await stat(cwd).catch(() => undefined);
  if (!folder)
    throw new ReinsError("invalid_input", `The folder ${cwd} does not exist.`, {
      agent,
      help: "Create it, or choose another.",
    });
  if (!folder.isDirectory())
    throw new ReinsError("invalid_input", `${cwd} is not a folder.`, { agent, help: "Choose a folder." });
  await access(cwd, constants.X_OK).catch((cause: unknown) => {
    throw new ReinsError("invalid_input", `The folder ${cwd} may not be entered.`, {
      agent,
      help: "Choose a folder you have access to.",
      cause,
    });
  });
  const found = await findCommand(command, spec.env);
  if (!found) {
    const where = command.includes("/") ? "" : " on PATH";
    throw new ReinsError("not_installed", `The program ${JSON.stringify(command)} was not found${where}.`, {
      agent,
      help: "Install it, or give the full path of the program.",
    });
  }
  if (!found.executable) {
    throw new ReinsError("not_installed", `${found.path} is not executable.`, {
      agent,
      help: `Run \`chmod +x ${found.path}\`, or give the path of another program.`,
    });
  }
  return found.path;
}

export interface PipedProcess extends ChildProcess {
  readonly pid: number;
  stdout: Readable;
  stderr: Readable;
}

/** Its own session and group, no shell, pipes for everything but perhaps stdin. Resolves when it runs. */
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
    // Later errors are about signals and messages we do not send this way; the exit tells what matters.
    child.on("error", () => {});
    return child;
  } catch (cause) {
    throw spawnError(cause, path, spec.agent);
  }
}

function spawnError(cause: unknown, path: string, agent: string): ReinsError {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  const details: ErrorDetails = { agent, cause };
  switch (code) {
    case "ENOENT":
      return new ReinsError(
        "not_installed",
        `${path} could not be started: the interpreter its first line names is missing.`,
        {
          ...details,
          help: "Install that interpreter, or give the path of another program.",
        },
      );
    case "EACCES":
    case "ENOEXEC":
    case "EINVAL":
      return new ReinsError("not_installed", `${path} is not a program this machine can run (${code}).`, {
        ...details,
        help: "Give the path of another program.",
      });
    case "E2BIG":
      return new ReinsError(
        "invalid_input",
        `The arguments or variables for ${path} are too long for this machine.`,
        details,
      );
    case "ERR_INVALID_ARG_VALUE":
      return new ReinsError("invalid_input", `An argument or variable for ${path} contains a null character.`, details);
    default:
      return new ReinsError("internal", `${path} could not be started (${code || String(cause)}).`, {
        ...details,
        retryable: true,
        help: "The machine may be out of processes, files or memory; try again.",
      });
  }
}

/** What the rooms above see of a running process. */

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
