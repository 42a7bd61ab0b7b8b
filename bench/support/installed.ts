/** The built command as installed from npm: a copy without the sources beside it, because a clone runs its sources instead. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

export function installedCommand(): Disposable & { readonly path: string; readonly library: string } {
  execFileSync(process.execPath, [join(root, "scripts", "build.js")], { stdio: ["ignore", "ignore", "inherit"] });
  const installed = mkdtempSync(join(tmpdir(), "reins-bench-"));
  for (const part of ["bin", "dist", "package.json"])
    cpSync(join(root, part), join(installed, part), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(installed, "node_modules"));
  return {
    path: join(installed, "bin", "reins.js"),
    library: join(installed, "dist", "index.js"),
    [Symbol.dispose]: () => rmSync(installed, { recursive: true, force: true }),
  };
}
