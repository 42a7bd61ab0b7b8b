import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { run } from "./command.js";

/** The cache is outside the clone, so that a fresh clone needs no new download. */
export function agentCache(env = process.env) {
  return env.REINS_AGENT_CACHE || join(env.XDG_CACHE_HOME || join(homedir(), ".cache"), "reins", "agents");
}

/**
 * Installs one pinned agent, or a package without a program, when it is missing. Installs into a temporary folder and renames it, because
 * several processes may install at the same time.
 */
export async function installAgent(cache, { package: name, version, bin }) {
  const folder = join(cache, `${name}@${version}`);
  const program = bin === undefined ? join("node_modules", name) : join("node_modules", ".bin", bin);
  if (existsSync(join(folder, program))) return console.log(`${name}@${version} is already installed in ${folder}`);
  console.log(`Installing ${name}@${version} into ${folder} (only once)`);
  mkdirSync(dirname(folder), { recursive: true });
  const unfinished = mkdtempSync(join(cache, ".installing-"));
  try {
    // npm 12 runs install scripts only for packages that are listed here.
    const manifest = { private: true, allowScripts: { [name]: true } };
    writeFileSync(join(unfinished, "package.json"), JSON.stringify(manifest));
    // Inside `npm run`, npm takes the clone as its folder unless `--prefix` is given.
    const options = ["--prefix", unfinished, "--save-exact", "--no-audit", "--no-fund", "--loglevel=error"];
    const { ok } = await run("npm", ["install", ...options, `${name}@${version}`], { cwd: unfinished });
    if (!ok) throw new Error(`npm failed to install ${name}@${version}.`);
    if (!existsSync(join(unfinished, program)))
      throw new Error(`npm installed ${name}@${version}, but ${program} is missing.`);
    moveUnlessThere(unfinished, folder);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

function moveUnlessThere(from, to) {
  try {
    renameSync(from, to);
  } catch (error) {
    if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
  }
}
