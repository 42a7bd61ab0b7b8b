/** A temporary folder with an empty project, an empty home, and the complete environment for the agent. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { runVariable } from "../../process/table/markers.ts";
import type { Launched } from "./types.ts";

export interface Workspace {
  readonly cwd: string;
  /** The project is a git repository, so that unreported changes are found. False without git. */
  readonly isRepository: boolean;
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  furnish(files: Readonly<Record<string, string>>): void;
  /** Resets the home to the files of `furnish`. */
  forget(): void;
  clear(): void;
}

/** Without a PATH the project is no repository, because git would not be found. */
export function createWorkspace(path: string = process.env["PATH"] ?? ""): Workspace {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "reins-contract-")));
  const make = (name: string): string => {
    mkdirSync(join(folder, name));
    return join(folder, name);
  };
  const [cwd, home, temporary] = [make("project"), make("home"), make("tmp")];
  const env = { PATH: path, HOME: home, TMPDIR: temporary, TERM: "dumb", LANG: "C.UTF-8" };
  const isRepository = path !== "" && spawnSync("git", ["init", "--quiet"], { cwd, env }).status === 0;
  let homeFiles: Readonly<Record<string, string>> = {};
  const furnish = (files: Readonly<Record<string, string>>): void => {
    homeFiles = files;
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(home, name)), { recursive: true });
      writeFileSync(join(home, name), text);
    }
  };
  return {
    cwd,
    isRepository,
    home,
    env,
    furnish,
    forget() {
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
      mkdirSync(home);
      furnish(homeFiles);
    },
    // An agent that was just stopped may still write a file.
    clear: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

const patienceMs = 2_000;

/** Lists running programs of the agent and, on Linux, every marked process with this home; one line each. */
export async function leftOf(home: string, launched: readonly Launched[]): Promise<readonly string[]> {
  const end = performance.now() + patienceMs;
  for (;;) {
    const running = launched.filter(({ isGone }) => !isGone).map(({ pid }) => `process ${pid}`);
    const left = [...running, ...marked(home)];
    if (left.length === 0 || performance.now() > end) return left;
    await sleep(20);
  }
}

function marked(home: string): string[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      const variables = read(`/proc/${pid}/environ`).split("\0");
      return variables.includes(`HOME=${home}`) && variables.some((one) => one.startsWith(`${runVariable}=`));
    })
    .map((pid) => `${pid} ${read(`/proc/${pid}/cmdline`).replaceAll("\0", " ").trim().slice(0, 200)}`);
}

function read(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
