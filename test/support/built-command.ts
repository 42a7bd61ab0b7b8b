/**
 * Before any test: the command as its users get it, in few files instead of hundreds of sources, and a place for what Node compiles. The tests start
 * some three hundred commands and as many other programs of ours, and each start takes a third of the time.
 */
import { copyFileSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { type OutputOptions, rolldown } from "rolldown";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder with its `bin/reins.js`. */
    builtCommand?: string;
  }
}

const root = join(import.meta.dirname, "../..");
const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Record<
  "dependencies" | "peerDependencies",
  object
>;

const prefix = "reins-command-";
const dayMs = 86_400_000;

async function build(folder: string): Promise<void> {
  const bundle = async (input: Record<string, string>, output: OutputOptions): Promise<void> => {
    const external = Object.keys({ ...dependencies, ...peerDependencies });
    await using made = await rolldown({
      cwd: root,
      input,
      platform: "node",
      external,
      checks: { ineffectiveDynamicImport: false },
    });
    await made.write({ ...output, dir: join(folder, "dist") });
  };
  mkdirSync(join(folder, "bin"), { recursive: true });
  for (const file of ["package.json", "bin/package.json", "bin/reins.js"])
    copyFileSync(join(root, file), join(folder, file));
  await Promise.all([
    bundle(
      { cli: "src/cli/main.ts" },
      { format: "cjs", entryFileNames: "[name].cjs", chunkFileNames: "[name]-[hash].cjs" },
    ),
    bundle({ "guardian-main": "src/process/guardian-main.ts" }, { format: "esm" }),
  ]);
}

export async function setup(project: TestProject): Promise<() => void> {
  // In there it finds the packages it needs.
  const cache = join(root, "node_modules", ".cache");
  mkdirSync(cache, { recursive: true });
  // A run that was killed left its own.
  for (const path of globSync(join(cache, `${prefix}*`)))
    if (statSync(path).mtimeMs < Date.now() - dayMs) rmSync(path, { recursive: true, force: true });
  const folder = mkdtempSync(join(cache, prefix));
  await build(folder);
  project.provide("builtCommand", folder);
  project.onTestsRerun(() => build(folder));
  // Everything that the tests start inherits it; what stands in here is gone with the folder.
  process.env["NODE_COMPILE_CACHE"] ??= join(folder, "compiled");
  return () => rmSync(folder, { recursive: true, force: true });
}
