/**
 * Runs a command with no network but loopback, no process of this machine in sight, and nothing of its environment:
 *   node scripts/offline.js [VAR=value ...] command args...
 * Every third-party agent a test runs, runs in here: it reaches a scripted model and nothing else, and finds no credentials.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

/**
 * The shell stays as process 1 on purpose: it collects orphans. Node does not, and a killed orphan that nobody collects
 * looks alive. A new network has its loopback switched off; without `ip` Perl, which Debian always has, switches it on.
 */
const inside = `
if command -v ip >/dev/null 2>&1; then ip link set lo up
else perl -e 'use Socket; my $up = pack("a16 s x22", "lo", 1); socket(S, AF_INET, SOCK_DGRAM, 0) and ioctl(S, 0x8914, $up) or die "$!\\n"'
fi || { echo "Loopback could not be switched on: install iproute2." >&2; exit 1; }
"$@"
exit $?
`;

/** Root may make namespaces; others need to be root of a user namespace of their own. */
const asUser = process.getuid?.() === 0 ? [] : ["--user", "--map-root-user"];
const namespaces = [...asUser, "--net", "--pid", "--fork", "--kill-child", "--mount-proc"];

/** Settles with the command's exit code. Rejects where there is no `unshare`. */
export async function offline(command, args, env = {}) {
  const home = mkdtempSync(join(tmpdir(), "reins-home-"));
  const path = [process.env.PATH, "/usr/sbin", "/sbin"].join(delimiter);
  // Given to `unshare` itself: from inside, the environment of process 1 can be read.
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

/** Ends this script, loudly, where isolation cannot be had: a test that would be skipped proves nothing. */
export async function requireIsolation() {
  const only = "process.exit(Object.keys(os.networkInterfaces()).join() === 'lo' ? 0 : 1)";
  let problem = `unshare ${namespaces.join(" ")} did not give a network with loopback only`;
  try {
    if ((await offline(process.execPath, ["-e", only])) === 0) return;
  } catch (error) {
    problem = error.message;
  }
  console.error(`Agents can only be tested in isolation, and this machine has none to offer: ${problem}.`);
  console.error(
    "It takes Linux with unshare (util-linux) and either root or user namespaces; a container needs CAP_SYS_ADMIN.",
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
