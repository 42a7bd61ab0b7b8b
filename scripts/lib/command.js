import { spawn } from "node:child_process";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The root folder of the repository, without a trailing slash. */
export const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/[/\\]$/, "");

/**
 * Runs a program until it exits. `quiet` collects its output instead of printing it. The repository's own tools come first on the PATH, so
 * that a script also works outside `npm run`, unless `ownTools` is false.
 */
export function run(command, args, { cwd = root, env = process.env, quiet = false, ownTools = true } = {}) {
  const started = performance.now();
  const path = ownTools ? join(root, "node_modules", ".bin") + delimiter + (env.PATH ?? "") : env.PATH;
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env: { ...env, PATH: path }, stdio: quiet ? "pipe" : "inherit" });
    let output = "";
    child.stdin?.end();
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (output += chunk));
    const settle = (ok) => resolve({ ok, output: output.trim(), seconds: (performance.now() - started) / 1000 });
    child.on("error", (error) => {
      output += error.message;
      settle(false);
    });
    child.on("close", (code) => settle(code === 0));
  });
}

export async function must(command, args, options) {
  const result = await run(command, args, options);
  if (result.ok) return result.output;
  console.error(`${command} ${args.join(" ")} failed.\n${result.output}`);
  process.exit(1);
}
