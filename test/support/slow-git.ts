import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { testFolder } from "./core.ts";

/** An environment in which git waits until the file `go` exists, then fails. */
export function slowGit(): { readonly env: Record<string, string | undefined>; readonly release: () => void } {
  const bin = testFolder();
  const go = join(bin, "go");
  writeFileSync(join(bin, "git"), `#!/bin/sh\nwhile [ ! -e ${go} ]; do sleep 0.02; done\nexit 1\n`, { mode: 0o755 });
  const env = { PATH: `${bin}:${process.env["PATH"]}`, HOME: bin, REINS_HOME: bin };
  return { env, release: () => writeFileSync(go, "") };
}
