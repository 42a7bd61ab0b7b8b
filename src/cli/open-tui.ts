/** Opens the terminal interface, or plain mode without a terminal. */
import { spawn, spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { loadConfiguration } from "../core/config/config.ts";
import { saveUserSetting } from "../core/config/save-setting.ts";
import { parseFallback } from "../core/route/route-options.ts";
import { ReinsError } from "../events/errors.ts";
import type { Mode } from "../events/modes.ts";
import { deadlinesWith } from "../events/deadlines.ts";
import { limitsWith } from "../events/limits.ts";
import { createRedactor } from "../events/redact.ts";
import { createProcesses } from "../process/index.ts";
import type { Processes } from "../process/types.ts";
import { currentFolder } from "../process/launch/current-folder.ts";
import { stateHome } from "../process/home.ts";
import { platformFacts } from "../process/platform.ts";
import type { TuiHost } from "../tui/app/host.ts";
import type { Screen } from "../tui/screen/screen.ts";
import { uiSettings, type UiSettings } from "../view/ui-settings.ts";
import { ownVersion } from "./installation.ts";
import { listFiles } from "./list-files.ts";
import { addPrompt, loadPrompts } from "./prompt-history.ts";
import { runShell } from "./run-shell.ts";
import { openReins, type OpenedReins } from "./server-connection/open-reins.ts";
import { handleInterrupts } from "./signals.ts";

export interface TuiOptions {
  readonly agent?: string;
  readonly model?: string;
  readonly mode?: Mode;
  readonly cwd?: string;
  readonly resume?: string | true;
  readonly fallback?: string;
  readonly inline?: boolean;
  readonly full?: boolean;
  readonly plain?: boolean;
  readonly screenReader?: boolean;
}

const historyFile = "prompts.jsonl";

export async function openTui(options: TuiOptions, ending: AbortSignal): Promise<"done"> {
  const cwd = options.cwd === undefined ? currentFolder() : resolve(options.cwd);
  if (!existsSync(cwd)) throw new ReinsError("invalid_input", `There is no folder ${cwd}.`);
  const isTerminal =
    process.stdin.isTTY && process.stdout.isTTY && process.env["TERM"] !== "dumb" && process.env["TERM"] !== undefined;
  if (!isTerminal || options.plain === true || options.screenReader === true) {
    const { runPlain } = await import("../tui/plain/run.ts");
    await using opened = await openReins();
    await runPlain({
      reins: opened.reins,
      cwd,
      first: firstOf(options),
      ending,
      handleInterrupts,
      stdin: process.stdin,
      stdout: process.stdout,
      platform: platformFacts(process.env),
      runShell,
      saveFile: savedIn(cwd),
      fileExists: (path) => existsSync(resolve(cwd, path)),
      ...(process.stdin.isTTY && { runProgram, setEcho }),
    });
    return "done";
  }
  const settings = await settingsIn(cwd, options);
  const { runTui } = await import("../tui/run.ts");
  const { processPort } = await import("../tui/screen/port.ts");
  const { startWatcher } = await import("../tui/screen/watcher.ts");
  const { collectWhenIdle } = await import("../server/sessions/idle.ts");
  const history = join(stateHome(process.env), historyFile);
  let opened: Promise<OpenedReins> | undefined;
  let processes: Processes | undefined;
  const host = (screen: () => Screen): TuiHost => ({
    ...{
      cwd,
      settings,
      first: firstOf(options),
      env: process.env,
      version: ownVersion(),
      platform: platformFacts(process.env),
    },
    home: homedir(),
    open: async () => {
      opened ??= openReins();
      const { reins, served } = await opened;
      return { reins, served };
    },
    listFiles: (folder, signal) =>
      listFiles({ processes: (processes ??= ownProcesses()), cwd: folder, env: process.env }, signal),
    runShell,
    runProgram: (argv, env) => screen().suspendFor(() => runProgram(argv, env)),
    editText: (text) => screen().suspendFor(() => editText(text)),
    loadHistory: () => loadPrompts(history),
    addHistory: (text) => void addPrompt(history, text),
    saveSetting: (key, value) => saveUserSetting(process.env, key, value),
    saveFile: savedIn(cwd),
    fileExists: (path) => existsSync(resolve(cwd, path)),
    readFile: (path, mostBytes) => readSmallFile(resolve(cwd, path), mostBytes),
    now: Date.now,
  });
  const port = processPort(process);
  const stopCollecting = collectWhenIdle({ done: () => process.stdout.bytesWritten });
  try {
    await runTui({ port, watch: startWatcher, ending, makeHost: host });
  } finally {
    stopCollecting();
    await processes?.close();
    await (await opened)?.leave();
  }
  return "done";
}

/** Writes a new file; an existing file is not overwritten. */
function savedIn(cwd: string): TuiHost["saveFile"] {
  return async (name, text) => {
    const path = resolve(cwd, name);
    await writeFile(path, text, { flag: "wx" });
    return path;
  };
}

/** For programs that the interface itself runs, such as git for the list of files. */
function ownProcesses(): Processes {
  const { env } = process;
  return createProcesses({
    env,
    deadlines: deadlinesWith(undefined),
    limits: limitsWith(undefined),
    redact: createRedactor(env),
    guardian: false,
  });
}

function firstOf({ agent, model, mode, resume, fallback }: TuiOptions): TuiHost["first"] {
  return {
    ...{ agent, model, mode, resume: resume === true ? "last" : resume },
    fallback: fallback === undefined ? undefined : parseFallback(fallback),
  };
}

/** A broken configuration must not keep the interface from opening; the commands that need it report the problem. */
async function settingsIn(cwd: string, { inline, full }: TuiOptions): Promise<UiSettings> {
  const { ui } = await loadConfiguration(cwd, process.env).catch(() => ({ ui: undefined }));
  const settings = uiSettings(ui);
  return { ...settings, screen: inline === true ? "inline" : full === true ? "full" : settings.screen };
}

function runProgram(
  [program = "", ...args]: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<number> {
  return new Promise((done, fail) => {
    const child = spawn(program, args, { stdio: "inherit", env: { ...process.env, ...env } });
    child.on("error", (error) =>
      fail(new ReinsError("not_installed", `${program} could not be started (${error.message}).`)),
    );
    child.on("exit", (code) => done(code ?? 1));
  });
}

/** With stty, which leaves the line editing of the terminal on. An end of the process in the middle turns the echo on again. */
function setEcho(on: boolean): void {
  spawnSync("stty", [on ? "echo" : "-echo"], { stdio: ["inherit", "ignore", "ignore"] });
  if (on) process.off("exit", echoAgain);
  else process.on("exit", echoAgain);
}

const echoAgain = (): void => setEcho(true);

async function editText(text: string): Promise<string | undefined> {
  const editor = process.env["VISUAL"] ?? process.env["EDITOR"];
  if (editor === undefined || editor.trim() === "") return undefined;
  const folder = await mkdtemp(join(tmpdir(), "reins-prompt-"));
  try {
    const file = join(folder, "prompt.md");
    await writeFile(file, text, { mode: 0o600 });
    // The editor may have arguments: "code --wait".
    const code = await runProgram([...editor.trim().split(/\s+/), file]);
    return code === 0 ? await readFile(file, "utf8") : undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Reads only regular files: reading anything else might never end. */
async function readSmallFile(path: string, mostBytes: number): Promise<Uint8Array | undefined> {
  const found = await stat(path);
  return found.isFile() && found.size <= mostBytes ? readFile(path) : undefined;
}
