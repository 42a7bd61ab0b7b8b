/**
 * 100 MB of messages from a scripted ACP agent to a reader that takes 1 MB a second: the memory of the whole process, Reins and its reader.
 * It takes some 100 seconds. `node bench/acp-slow-reader.ts` builds the package and measures that, in a process of its own: what runs
 * the sources of a clone would be counted too.
 */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { installedCommand } from "./support/installed.ts";

const reader = fileURLToPath(new URL("support/acp-slow-reader.mjs", import.meta.url));

using installed = installedCommand();
const printed = execFileSync(process.execPath, [reader, installed.library], { encoding: "utf8" });
const { before, most, bytes } = JSON.parse(printed) as Record<"before" | "most" | "bytes", number>;
if (bytes < 99e6) throw new Error(`Only ${bytes} bytes of 100 MB came.`);
const megabytes = (value: number): number => Math.round(value / 1e6);
console.log(
  JSON.stringify({
    bench: "acp-slow-reader",
    peakMB: megabytes(most),
    goal: "< 120",
    beforeMB: megabytes(before),
    readMB: megabytes(bytes),
  }),
);
