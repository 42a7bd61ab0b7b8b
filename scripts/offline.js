/**
 * Runs a command that has no network except loopback, sees no other process of this machine and gets an empty environment:
 *   node scripts/offline.js [VAR=value ...] command args...
 * Tests run every third-party agent this way: the agent reaches only a scripted model and finds no credentials.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

/**
 * The shell stays process 1 on purpose: it reaps orphans. Node does not, and a killed orphan that is not reaped looks alive. In a new
 * network namespace loopback is down; without `ip`, Perl (always present on Debian) brings it up.
 */
const inside = `
if command -v ip >/dev/null 2>&1; then ip link set lo up
else perl -e 'use Socket; my $up = pack("a16 s x22", "lo", 1); socket(S, AF_INET, SOCK_DGRAM, 0) and ioctl(S, 0x8914, $up) or die "$!\\n"'
fi || { echo "The loopback interface could not be enabled. Install iproute2." >&2; exit 1; }
"$@"
exit $?
`;

/** Root may create namespaces; other users become root of their own user namespace. */
const asUser = process.getuid?.() === 0 ? [] : ["--user", "--map-root-user"];
const namespaces = [...asUser, "--net", "--pid", "--fork", "--kill-child", "--mount-proc"];

/** Resolves with the command's exit code. Rejects when `unshare` is missing. */
export async function offline(command, args, env = {}) {
  const home = mkdtempSync(join(tmpdir(), "reins-home-"));
  const path = [process.env.PATH, "/usr/sbin", "/sbin"].join(delimiter);
  // The clean environment is given to `unshare` itself, because the environment of process 1 can be read from inside.
  const clean = { PATH: path, HOME: home, TERM: "dumb", LANG: "C.UTF-8", ...env };
  try {
    return await new Promise((resolve, reject) => {
      const child = spawn("unshare", [...namespaces, "sh", "-c", inside, "offline", command, ...args], {
        stdio: "inherit",
        env: clean,
      });
      child.on("error", reject);
      child.on("exit", (code, signal) => resolve(signal === null ? code : 1));
    });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Ends this script with an error when isolation is not available: a skipped test proves nothing. */
export async function requireIsolation() {
  const only = "process.exit(Object.keys(os.networkInterfaces()).join() === 'lo' ? 0 : 1)";
  let problem = `unshare ${namespaces.join(" ")} did not give a network with loopback only`;
  try {
    if ((await offline(process.execPath, ["-e", only])) === 0) return;
  } catch (error) {
    problem = error.message;
  }
  console.error(`These tests run agents in isolation, and isolation is not available on this machine: ${problem}.`);
  console.error(
    "Isolation needs Linux, unshare (util-linux), and root or user namespaces. In a container, add CAP_SYS_ADMIN.",
  );
  process.exit(1);
}

if (import.meta.main ?? process.argv[1] === import.meta.filename) {
  const words = process.argv.slice(2);
  const isVariable = (word) => /^[A-Za-z_]\w*=/.test(word);
  const at = words.findIndex((word) => !isVariable(word));
  if (at === -1) {
    console.error("Usage: node scripts/offline.js [VAR=value ...] command args...");
    process.exit(2);
  }
  await requireIsolation();
  const split = (word) => [word.slice(0, word.indexOf("=")), word.slice(word.indexOf("=") + 1)];
  process.exitCode = await offline(words[at], words.slice(at + 1), Object.fromEntries(words.slice(0, at).map(split)));
}
