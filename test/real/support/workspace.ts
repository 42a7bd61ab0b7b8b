import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Workspace extends Disposable {
  /** An empty repository. */
  readonly cwd: string;
  readonly home: string;
  /** The complete environment of the programs that run here. */
  readonly env: Readonly<Record<string, string>>;
}

export function createWorkspace(): Workspace {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "reins-real-")));
  const [cwd, home, temporary] = ["work", "home", "tmp"].map((name) => join(folder, name)) as [string, string, string];
  for (const path of [cwd, home, temporary]) mkdirSync(path);
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, TMPDIR: temporary, TERM: "dumb", LANG: "C.UTF-8" };
  execFileSync("git", ["init", "--quiet"], { cwd, env });
  // An agent that was just ended may still write a file.
  const dispose = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  return { cwd, home, env, [Symbol.dispose]: dispose };
}
