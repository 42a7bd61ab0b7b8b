/**
 * The command of a hook: a small script that asks Reins. The user's editor runs the same hooks, so the script acts only
 * for processes that Reins started, which have a token in their environment. For all others it prints `{}` at once and
 * starts nothing.
 */
import { createHash } from "node:crypto";
import { chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { longestMs } from "../../../events/deadlines.ts";
import { childEnvironment, findCommand } from "../../../process/index.ts";
import type { AgentContext } from "../../contract.ts";
import { program } from "../program.ts";
import { gates, hookEvents, type HookEvent } from "./events.ts";

/**
 * Variables of processes that Reins started. Their names and meanings must not change: a script may be older than the
 * Reins that it asks.
 */
export const variables = {
  token: "REINS_HOOK_TOKEN",
  /** A socket, or a file that contains an address. */
  address: "REINS_HOOK_ADDRESS",
  /** In seconds. */
  wait: "REINS_HOOK_WAIT",
} as const;

const { token, address, wait } = variables;
const gating = hookEvents.filter(gates).join("|");
const tooBad = "so it does not happen.";

interface ShimPrograms {
  readonly node: string;
  /** Perl starts ten times as fast as Node, and nearly every machine has it. */
  readonly perl: string | undefined;
}

/** Chooses the interpreter and replaces itself with it (`exec`), so there is never a second process. */
function shellShim({ node, perl }: ShimPrograms): string {
  const withPerl = `[ -x ${quoted(perl ?? "")} ] && exec ${quoted(perl ?? "")} -f "\${0%.sh}.pl" "$1"\n`;
  return `#!/bin/sh
# Of Reins: asks it about what an agent that it started is about to do. For everybody else it does nothing.
[ -n "$${token}" ] || { echo '{}'; exit 0; }
${perl === undefined ? "" : withPerl}node=${quoted(node)}
[ -x "$node" ] || node=$(command -v node)
[ -n "$node" ] && exec "$node" "\${0%.sh}.cjs" "$1"
case $1 in
  ${gating}) echo "Reins could not be asked about this (there is no Node), ${tooBad}" >&2; exit 2 ;;
  *) echo '{}' ;;
esac
`;
}

const bsd = "$^O =~ /darwin|bsd|dragonfly/";
/**
 * Perl's Socket module takes longer to load than all the rest, so addresses are packed by hand. `perlCheck` compares
 * them once with those of the module, because the constants differ per platform.
 */
const perlAddresses = {
  unix: `${bsd} ? pack("CCa*x", length($address) + 3, 1, $address) : pack("Sa*x", 1, $address)`,
  port: `${bsd} ? pack("CCna4x8", 16, 2, $port, "\\x7f\\0\\0\\1") : pack("Sna4x8", 2, $port, "\\x7f\\0\\0\\1")`,
};

const perlCheck: string = `use Socket; my ($address, $port) = ("/tmp/reins", 4711);
my ($unix, $in) = (${perlAddresses.unix}, ${perlAddresses.port});
my $numbers = PF_UNIX == 1 && PF_INET == 2 && SOCK_STREAM == 1;
print "yes" if $numbers && (unpack_sockaddr_un($unix))[0] eq $address && pack_sockaddr_in($port, INADDR_LOOPBACK) eq $in;`;

/**
 * When Reins cannot be asked, a gating hook denies and any other prints `{}`. A denial is answered with 403 in two
 * parts: the output and, after a line break, the reason. The script then exits with 2, which blocks the call whatever
 * other hooks say: a hook of the project could override a permission in the output alone.
 */
const perlShim = String.raw`# Of Reins: asks it about what an agent that it started is about to do.
my $event = shift;
sub refuse {
  if ($event =~ /^(?:${gating})$/) { print STDERR "Reins could not be asked about this ($_[0]), ${tooBad}\n"; exit 2 }
  print "{}\n";
  exit 0;
}
$SIG{ALRM} = sub { refuse("it does not answer") };
$SIG{PIPE} = "IGNORE";
alarm($ENV{${wait}} || 60);
binmode $_ for (*STDIN, *STDOUT, *STDERR);
my $address = $ENV{${address}};
my ($socket, $to, $file);
if (-S $address) { $to = ${perlAddresses.unix} }
elsif (open $file, "<", $address) { my ($port) = <$file> =~ /:(\d+)/; $to = ${perlAddresses.port} }
else { refuse("it is gone") }
socket($socket, $file ? 2 : 1, 1, 0) && connect($socket, $to) or refuse("it is gone");
$/ = undef;
my $told = <STDIN>;
$told = "" unless defined $told;
my $head = "POST /$event HTTP/1.0\r\nauthorization: Bearer $ENV{${token}}\r\ncontent-length: " . length($told) . "\r\n\r\n";
select((select($socket), $| = 1)[0]);
print $socket $head . $told or refuse("it does not listen");
my $said = <$socket>;
refuse("it does not answer") unless defined $said;
my ($status, $length, $body) = $said =~ m{^HTTP/1\.[01] (200|403) .*?\r\ncontent-length: *(\d+)\r\n.*?\r\n\r\n(.*)$}is;
refuse("its answer makes no sense") unless defined $body && length($body) == $length;
my ($answer, $why) = split /\n/, $body, 2;
refuse("its answer makes no sense") unless defined $answer && $answer =~ /^\{.*\}$/;
print $answer, "\n";
if ($status == 403) { print STDERR $why, "\n"; exit 2 }
`;

/** The same script without Perl or a shell. */
const nodeShim = String.raw`// Of Reins: asks it about what an agent that it started is about to do. For everybody else it does nothing.
"use strict";
const event = process.argv[2];
const say = (text, code = 0) => { process.stdout.write(text + "\n", () => process.exit(code)); };
const deny = (why, then) => { process.stderr.write(why + "\n", then); };
const refuse = (why) => {
  if (!/^(${gating})$/.test(event)) return say("{}");
  deny("Reins could not be asked about this (" + why + "), ${tooBad}", () => process.exit(2));
};
const { ${token}: token, ${address}: address, ${wait}: wait } = process.env;
if (!token) say("{}");
else {
  process.on("uncaughtException", () => refuse("it does not answer"));
  setTimeout(() => refuse("it does not answer"), Math.min((Number(wait) || 60) * 1000, ${longestMs}));
  const { readFileSync, statSync } = require("node:fs");
  const to = statSync(address).isSocket() ? { socketPath: address } : { port: new URL(readFileSync(address, "utf8")).port };
  const headers = { authorization: "Bearer " + token };
  const asked = require("node:http").request({ host: "127.0.0.1", ...to, method: "POST", path: "/" + event, headers, agent: false });
  asked.on("response", (response) => {
    let answer = "";
    response.setEncoding("utf8").on("data", (piece) => { answer += piece; });
    response.on("error", () => refuse("it does not answer"));
    response.on("end", () => {
      const [json, ...why] = answer.split("\n");
      let found;
      try { found = JSON.parse(json); } catch {}
      if (typeof found !== "object" || found === null) refuse("its answer makes no sense");
      else if (response.statusCode === 200) say(json);
      else if (response.statusCode === 403) deny(why.join("\n"), () => say(json, 2));
      else refuse("its answer makes no sense");
    });
  });
  asked.end(readFileSync(0));
}
`;

/** The name contains a hash of the content: another version has its own script, and a file of the user may still name this one. */
export async function writeShim(folder: string, programs: ShimPrograms): Promise<string> {
  const shell = shellShim(programs);
  const hash = createHash("sha256").update(shell).update(perlShim).update(nodeShim).digest("hex");
  const name = `${shimName}-${hash.slice(0, 12)}`;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await put(join(folder, `${name}.cjs`), nodeShim, 0o600);
  await put(join(folder, `${name}.pl`), perlShim, 0o600);
  const path = join(folder, `${name}.sh`);
  await put(path, shell, 0o700);
  return path;
}

export const shimName = "reins-cursor-hook";

/** The command in a hooks file, which contains no addresses and no secrets. */
export function commandFor(path: string, event: HookEvent, platform = process.platform): string {
  if (platform !== "win32") return `${quoted(path)} ${event}`;
  return `"${process.execPath}" "${path.replace(/\.sh$/, ".cjs")}" ${event}`;
}

/** Writes under another name and renames, so that a running script is never half written. */
async function put(path: string, text: string, mode: number): Promise<void> {
  if ((await readFile(path, "utf8").catch(() => undefined)) !== text) {
    const draft = `${path}.${process.pid}`;
    await writeFile(draft, text, { mode });
    await rename(draft, path);
  }
  await chmod(path, mode);
}

function quoted(word: string): string {
  return /^[\w./+@%=-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

const usablePerls = new Map<string, Promise<boolean>>();

export async function shimPrograms(context: AgentContext): Promise<ShimPrograms> {
  const found = process.platform === "win32" ? undefined : await findCommand("perl", context.env);
  const usable = found?.executable === true && (await hasSockets(context, found.path));
  return { node: process.execPath, perl: usable ? found.path : undefined };
}

/** Perl's socket constants differ per platform, so check that this perl has the expected ones. */
function hasSockets({ processes, env, deadlines }: AgentContext, command: string): Promise<boolean> {
  const spec = { command, args: ["-f", "-e", perlCheck], cwd: "/", env: childEnvironment(env), agent: program.id };
  const asked =
    usablePerls.get(command) ??
    processes.run(spec, deadlines.probe).then(
      ({ stdout, code }) => code === 0 && stdout === "yes",
      () => false,
    );
  usablePerls.set(command, asked);
  return asked;
}
