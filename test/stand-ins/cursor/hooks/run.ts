/** Runs one hook: a command that receives the event on stdin and answers on stdout. */
import { spawn } from "node:child_process";
import { fieldsOf, parsed, textOf, type Fields } from "../../agent-loop/index.ts";
import type { Hook } from "./hook.ts";

export interface HookAnswer {
  readonly output: Fields;
  /** The reason when it denied, or failed with `failClosed`: the action is forbidden. */
  readonly blocks?: string | undefined;
}

export async function runHook(hook: Hook, payload: object, env: Readonly<Record<string, string>>): Promise<HookAnswer> {
  const child = spawn("/bin/sh", ["-c", hook.command], {
    cwd: hook.cwd,
    env: { ...process.env, ...env, ...(hook.plugin === undefined ? {} : { CURSOR_PLUGIN_ROOT: hook.plugin }) },
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (piece: string) => (stdout += piece));
  child.stderr.setEncoding("utf8").on("data", (piece: string) => (stderr += piece));
  child.stdin.on("error", () => undefined);
  child.stdin.end(JSON.stringify(payload));
  const timer = setTimeout(() => end(child.pid), hook.timeoutMs);
  const code = await new Promise<number | null>((resolve) => {
    child.on("error", () => resolve(127));
    child.on("close", resolve);
  });
  clearTimeout(timer);
  if (code === 2) return { output: {}, blocks: stderr.trim() || "A hook said no." };
  const output = parsed(stdout.trim() === "" ? "{}" : stdout);
  if (code === 0 && output !== undefined) return { output: plain(fieldsOf(output)) };
  return hook.failClosed ? { output: {}, blocks: "A hook failed, and is to be obeyed all the same." } : { output: {} };
}

/** Converts answers in Claude Code's format. */
function plain(output: Fields): Fields {
  const theirs = fieldsOf(output["hookSpecificOutput"]);
  if (output["decision"] === "block") return { permission: "deny", user_message: textOf(output["reason"]) };
  if (theirs["permissionDecision"] === undefined) return output;
  return {
    permission: theirs["permissionDecision"],
    user_message: theirs["permissionDecisionReason"],
    updated_input: theirs["updatedInput"],
  };
}

function end(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // The process has ended meanwhile.
  }
}
