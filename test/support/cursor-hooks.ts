/** Runs Cursor's hooks as Cursor would: the command of a hooks file, in a shell, with the event on its stdin. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { openHooks, type Hooks, type HooksOptions } from "../../src/agents/cursor/hooks/index.ts";
import type { AgentContext } from "../../src/agents/contract.ts";
import { defaultDeadlines } from "../../src/events/deadlines.ts";
import { defaultLimits } from "../../src/events/limits.ts";
import { createRedactor } from "../../src/events/redact.ts";
import type { AgentEvent } from "../../src/events/types.ts";
import { temporaryFolder, testProcesses } from "./processes.ts";

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const path = process.env["PATH"] ?? "";

export async function runHook(
  command: string,
  input: unknown,
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const child = spawn("/bin/sh", ["-c", command], { env: { PATH: path, ...env } });
  child.stdin.on("error", () => {});
  child.stdin.end(typeof input === "string" ? input : JSON.stringify(input));
  const exited = once(child, "close");
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await exited) as [number | null];
  return { code, stdout: stdout.trim(), stderr: stderr.trim() };
}

export interface HookScene extends AsyncDisposable {
  readonly folder: string;
  readonly context: AgentContext;
  readonly hooks: Hooks;
  readonly said: AgentEvent[];
  next<Type extends AgentEvent["type"]>(type: Type): Promise<Extract<AgentEvent, { type: Type }>>;
  /** The command that the plugin has for an event. */
  command(event: string): string;
  run(event: string, input: unknown): Promise<Ran>;
}

export interface SceneOptions extends Partial<Pick<HooksOptions, "isPrompted" | "version">> {
  readonly open?: Partial<HooksOptions["options"]>;
  readonly env?: Readonly<Record<string, string>>;
  readonly deadlines?: Partial<AgentContext["deadlines"]>;
  /** The home of Reins, below the folder. */
  readonly home?: string;
  /** An existing folder. Default: an empty one, which is removed at the end. */
  readonly folder?: string;
}

export function hooksContext(
  folder: string,
  { env = {}, deadlines = {}, home = "state" }: SceneOptions = {},
): AgentContext {
  const all = { PATH: path, HOME: folder, REINS_HOME: join(folder, home), ...env };
  return {
    processes: testProcesses(join(folder, home)),
    env: all,
    deadlines: { ...defaultDeadlines, ...deadlines },
    limits: defaultLimits,
    redact: createRedactor({}),
  };
}

export async function hookScene(options: SceneOptions = {}): Promise<HookScene> {
  const own = options.folder === undefined ? temporaryFolder() : undefined;
  const folder = options.folder ?? own!.path;
  const context = hooksContext(folder, options);
  const said: AgentEvent[] = [];
  const waiting: { type: string; resolve: (event: never) => void }[] = [];
  const hooks = await openHooks({
    version: "2026.10.01-e373342",
    isPrompted: () => true,
    ...options,
    context,
    options: { cwd: folder, ...options.open },
    say: (events) => {
      for (const event of events) {
        said.push(event);
        const index = waiting.findIndex(({ type }) => type === event.type);
        if (index >= 0) waiting.splice(index, 1)[0]?.resolve(event as never);
      }
    },
    stop: () => said.push({ type: "notice", level: "info", code: "stop", message: "" }),
  });
  const command = (event: string): string => {
    const file = join(hooks.args[1] ?? "", "hooks", "hooks.json");
    const all = JSON.parse(readFileSync(file, "utf8")) as { hooks: Record<string, { command: string }[]> };
    return all.hooks[event]?.[0]?.command ?? "";
  };
  return {
    folder,
    context,
    hooks,
    said,
    next: (type) => new Promise((resolve) => waiting.push({ type, resolve })),
    command,
    run: (event, input) => runHook(command(event), input, hooks.env),
    async [Symbol.asyncDispose]() {
      await hooks.close();
      await context.processes.close();
      own?.[Symbol.dispose]();
    },
  };
}
