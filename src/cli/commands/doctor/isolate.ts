/** Runs this command again in a network namespace with nothing but loopback (Linux). */
import { spawn, type ChildProcess, type StdioOptions } from "node:child_process";
import { once } from "node:events";

/** Set in the process that was started again without a network. */
export const isolatedMark = "REINS_NETWORK_CUT";

const noLoopback = 97;

/** Loopback is down in a new namespace. Without `ip`, Perl brings it up; Debian always has Perl. */
const inside = `
if command -v ip >/dev/null 2>&1; then ip link set lo up
else perl -e 'use Socket; my $up = pack("a16 s x22", "lo", 1); socket(S, AF_INET, SOCK_DGRAM, 0) and ioctl(S, 0x8914, $up) or die'
fi || exit ${noLoopback}
exec "$@"
`;

/** Why the network cannot be cut here; undefined when it can. */
export async function whyNotIsolated(platform: NodeJS.Platform = process.platform): Promise<string | undefined> {
  if (platform !== "linux") return "only Linux can do that";
  try {
    const code = await exitOf(start("true", [], "ignore"));
    if (code === noLoopback) return "loopback cannot be switched on without `ip` or Perl";
    return code === 0 ? undefined : "this user may not make a network of their own";
  } catch {
    return "there is no `unshare` (package util-linux)";
  }
}

/** Runs the command line again, isolated, and returns its exit code. The child ends when `ending` aborts or this process is gone. */
export async function againIsolated(args: readonly string[], ending: AbortSignal): Promise<number> {
  // The IPC channel closes however this process ends; signals would not pass `unshare`.
  const child = start(process.execPath, [...process.execArgv, ...args], ["inherit", "inherit", "inherit", "ipc"]);
  const tell = (): void => {
    if (child.connected) child.disconnect();
  };
  ending.addEventListener("abort", tell);
  if (ending.aborted) tell();
  return exitOf(child).finally(() => ending.removeEventListener("abort", tell));
}

/** For the restarted process: aborts when its parent asks it to end or is gone. */
export function whenOwnerEnds(): AbortSignal {
  const controller = new AbortController();
  if (process.send === undefined) return controller.signal;
  process.once("disconnect", () => controller.abort());
  process.channel?.unref();
  if (!process.connected) controller.abort();
  return controller.signal;
}

function start(command: string, args: readonly string[], stdio: StdioOptions): ChildProcess {
  // Root may create a network namespace; others need a user namespace in which they are root.
  const namespaces = process.getuid?.() === 0 ? ["--net"] : ["--user", "--map-root-user", "--net"];
  const isolated = [...namespaces, "--kill-child", "--fork", "sh", "-c", inside, "isolated", command, ...args];
  return spawn("unshare", isolated, { stdio, env: { ...process.env, [isolatedMark]: "1" } });
}

async function exitOf(child: ChildProcess): Promise<number> {
  const [code, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
  return code ?? (signal === "SIGINT" ? 130 : 1);
}
