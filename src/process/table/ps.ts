/** The process table of macOS and other Unix systems, from `ps`. `ps` shows no environments, so only groups and descendants are known. */
import { hostname } from "node:os";
import type { ProcessEntry, ProcessTable } from "./table.ts";

const columns = "pid=,ppid=,pgid=,stat=,lstart=";

export const psTable: ProcessTable = {
  read: async () => parse(await ps(["-axo", columns])),
  startOf: async (pid) => parse(await ps(["-o", columns, "-p", String(pid)]))[0]?.start,
  startOfChild: async (pid) => parse(await ps(["-o", columns, "-p", String(pid)]), { dead: true })[0]?.start,
  host: hostname,
};

function parse(output: string, { dead = false } = {}): ProcessEntry[] {
  const entries: ProcessEntry[] = [];
  for (const line of output.split("\n")) {
    const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S.*?)\s*$/.exec(line);
    if (!match || (match[4]?.startsWith("Z") && !dead)) continue;
    const group = Number(match[3]);
    entries.push({ pid: Number(match[1]), parent: Number(match[2]), group, session: group, start: match[5] ?? "" });
  }
  return entries;
}

/** Returns an empty text when `ps` fails. */
async function ps(args: readonly string[]): Promise<string> {
  // Imported here so that Linux, which has /proc, does not load it.
  const { execFile } = await import("node:child_process");
  return new Promise((resolve) => {
    execFile(
      "ps",
      args,
      { env: { PATH: "/bin:/usr/bin", LC_ALL: "C", TZ: "UTC" }, maxBuffer: 1 << 26 },
      (_error, stdout) => resolve(stdout),
    );
  });
}
