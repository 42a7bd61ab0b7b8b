/** Runs this command again where there is no network but loopback: Linux gives every process a network of its own that asks. */
import { spawn } from "node:child_process";
import { once } from "node:events";

/** Set in the process that was started again; it says that the network is cut. */
export const isolatedMark = "REINS_NETWORK_CUT";

/** A new network has its loopback switched off; without `ip` Perl, which Debian always has, switches it on. */
const inside = `
if command -v ip >/dev/null 2>&1; then ip link set lo up
else perl -e 'use Socket; my $up = pack("a16 s x22", "lo", 1); socket(S, AF_INET, SOCK_DGRAM, 0) and ioctl(S, 0x8914, $up) or die'
fi || exit 97
exec "$@"
`;

/** Root may make a network; others need to be root of a user namespace of their own. */
function namespaces(): readonly string[] {
  return process.getuid?.() === 0 ? ["--net"] : ["--user", "--map-root-user", "--net"];
}

/** Why the network cannot be cut here; undefined where it can. */
export async function whyNotIsolated(platform: NodeJS.Platform = process.platform): Promise<string | undefined> {
  if (platform !== "linux") return "only Linux can do that";
  const code = await run("true", [], "ignore").catch(() => undefined);
  if (code === undefined) return "there is no `unshare` (package util-linux)";
  return code === 0 ? undefined : "this user may not make a network of their own";
}

/** The same command line again, isolated; its exit code. */
export async function againIsolated(args: readonly string[]): Promise<number> {
  return run(process.execPath, [...process.execArgv, ...args], "inherit");
}

async function run(command: string, args: readonly string[], stdio: "inherit" | "ignore"): Promise<number> {
  const child = spawn(
    "unshare",
    [...namespaces(), "--kill-child", "--fork", "sh", "-c", inside, "isolated", command, ...args],
    {
      stdio,
      env: { ...process.env, [isolatedMark]: "1" },
    },
  );
  const [code, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
  return code ?? (signal === "SIGINT" ? 130 : 1);
}
