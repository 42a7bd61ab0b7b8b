/**
 * Runs before all tests: builds the command as users get it, in few files instead of hundreds of sources, and sets a compile cache. The
 * tests start about three hundred commands and as many other programs of ours, and each start takes a third of the time.
 */
import { copyFileSync, globSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { bundleCommand, bundleLibrary } from "../../scripts/lib/bundle.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder that contains `bin/reins.js`. */
    builtCommand?: string;
  }
}

const root = join(import.meta.dirname, "../..");
const prefix = "reins-command-";
const dayMs = 86_400_000;

async function build(folder: string): Promise<void> {
  mkdirSync(join(folder, "bin"), { recursive: true });
  for (const file of ["package.json", "bin/package.json", "bin/reins.js"])
    copyFileSync(join(root, file), join(folder, file));
  mkdirSync(join(folder, "dist"), { recursive: true });
  const made = await Promise.all([
    bundleCommand({ cli: "src/cli/main.ts" }),
    bundleLibrary({
      "guardian-main": "src/process/stop/guardian-main.ts",
      "terminal-holder-main": "src/protocols/pty/terminal-holder-main.ts",
    }),
  ]);
  for (const { fileName, code } of made.flat()) writeFileSync(join(folder, "dist", fileName), code);
}

export async function setup(project: TestProject): Promise<() => void> {
  // A folder below node_modules, so that the command finds its packages.
  const cache = join(root, "node_modules", ".cache");
  mkdirSync(cache, { recursive: true });
  // Remove the folders of earlier runs that were killed.
  for (const path of globSync(join(cache, `${prefix}*`)))
    if (statSync(path).mtimeMs < Date.now() - dayMs) rmSync(path, { recursive: true, force: true });
  const folder = mkdtempSync(join(cache, prefix));
  await build(folder);
  project.provide("builtCommand", folder);
  project.onTestsRerun(() => build(folder));
  // Every program that the tests start inherits the cache, which is removed with the folder.
  process.env["NODE_COMPILE_CACHE"] ??= join(folder, "compiled");
  return () => rmSync(folder, { recursive: true, force: true });
}
