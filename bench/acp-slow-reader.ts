/**
 * Memory of the whole process (Reins and its reader) while a scripted ACP agent sends 100 MB to a reader that takes 1 MB a second. Takes
 * about 100 seconds. `node bench/acp-slow-reader.ts` builds the package and measures it in a separate process, so that loading the sources
 * of a clone is not counted.
 */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { installedCommand } from "./support/installed.ts";

const reader = fileURLToPath(new URL("support/acp-slow-reader.mjs", import.meta.url));

using installed = installedCommand();
const printed = execFileSync(process.execPath, [reader, installed.library], { encoding: "utf8" });
const { before, most, bytes } = JSON.parse(printed) as Record<"before" | "most" | "bytes", number>;
if (bytes < 99e6) throw new Error(`Only ${bytes} bytes of 100 MB arrived.`);
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
