/**
 * The time from the start of the built command until it listens, compared with starting Node. `node bench/server-start.ts` builds the
 * package.
 */
import { execFileSync } from "node:child_process";
import { interleave, milliseconds } from "./pairs.ts";
import { report } from "./report.ts";
import { installedCommand } from "./support/installed.ts";
import { served } from "./support/served.ts";

using command = installedCommand();
const start = async (): Promise<number> => {
  await using server = await served(command.path);
  return server.startMs;
};
const node = () => milliseconds(() => execFileSync(process.execPath, ["-e", "0"], { stdio: "ignore" }));
report("server-start", "reins < 400", "ms", await interleave(30, start, node));
