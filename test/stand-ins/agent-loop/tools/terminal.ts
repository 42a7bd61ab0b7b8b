/** Runs a command line in a shell with its own process group; processes that it leaves end with the turn. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { textOf } from "../fields.ts";
import type { LoopTool, ToolPlace, ToolResult } from "../types.ts";

export interface Terminal {
  readonly tool: LoopTool;
  /** Background commands, oldest first. */
  readonly background: BackgroundCommand[];
  end(): void;
}

export interface BackgroundCommand {
  readonly id: string;
  readonly command: string;
  readonly ended: Promise<{ readonly exitCode: number; readonly output: string }>;
}

const mostOutput = 128 * 1024 * 1024;
/** The largest output that is passed to the model. */
const mostTold = 200_000;

export function terminal(env: NodeJS.ProcessEnv = process.env): Terminal {
  const background: BackgroundCommand[] = [];
  const running = new Set<ChildProcess>();
  const tool: LoopTool = {
    name: "run_terminal_cmd",
    description: "Run a command line.",
    required: ["command"],
    optional: ["background"],
    async run(input, place) {
      const command = textOf(input["command"]);
      const started = performance.now();
      const child = spawn("/bin/sh", ["-c", command], {
        cwd: place.cwd,
        env,
        detached: true,
        stdio: ["ignore", "pipe", "pipe"],
      });
      running.add(child);
      child.once("close", () => running.delete(child));
      const ended = outputOf(child);
      if (input["background"] === true) {
        const id = place.call.id;
        background.push({ id, command, ended: ended.then(({ exitCode, all }) => ({ exitCode, output: all })) });
        return { ok: true, text: `Running in the background as ${child.pid}.`, facts: { command, pid: child.pid } };
      }
      return finished(child, command, ended, place, started);
    },
  };
  return { tool, background, end: () => running.forEach(endGroup) };
}

async function finished(
  child: ChildProcess,
  command: string,
  ended: ReturnType<typeof outputOf>,
  { signal }: ToolPlace,
  started: number,
): Promise<ToolResult> {
  const stop = (): void => endGroup(child);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  const { exitCode, stdout, stderr, all } = await ended;
  signal.removeEventListener("abort", stop);
  signal.throwIfAborted();
  const ms = Math.round(performance.now() - started);
  const told = all.slice(0, mostTold);
  const text = exitCode === 0 ? told : `${told}\nExit code: ${exitCode}`;
  return { ok: exitCode === 0, text, facts: { command, exitCode, stdout, stderr, output: all, ms } };
}

async function outputOf(child: ChildProcess) {
  const texts = { stdout: "", stderr: "", all: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name]?.setEncoding("utf8").on("data", (piece: string) => {
      if (texts.all.length > mostOutput) return;
      texts[name] += piece;
      texts.all += piece;
    });
  child.on("error", (error) => (texts.all += error.message));
  const [code] = (await once(child, "close").catch(() => [127])) as [number | null];
  return { ...texts, exitCode: code ?? 137 };
}

function endGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // The process has already ended.
  }
}
