/**
 * What a hook's command is: a small script that asks Reins. The person's editor runs the same hooks, so it acts only for processes that Reins
 * started, which have a token in their environment; for everybody else it says nothing, at once, and starts nothing.
 */
import { createHash } from "node:crypto";
import { chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gates, hookEvents } from "./events.ts";
import type { HookEvent } from "./events.ts";

/** What a process of ours has in its environment. Their names and meanings stay: a script may be older than the Reins that is asked. */
export const variables = {
  /** Random; whoever has it may ask. */
  token: "REINS_HOOK_TOKEN",
  /** A socket, or a file with an address in it. */
  address: "REINS_HOOK_ADDRESS",
  /** Seconds. */
  wait: "REINS_HOOK_WAIT",
} as const;

const { token, address, wait } = variables;
const gating = hookEvents.filter(gates).join("|");
const tooBad = "so it does not happen.";

export interface ShimPrograms {
  /** The Node that runs Reins. */
  readonly node: string;
  /** One that knows Unix sockets; it starts four times as fast. */
  readonly curl: string | undefined;
}

/** What cannot be asked is denied where something waits for the word, and passed over elsewhere. */
export function shellShim({ node, curl }: ShimPrograms): string {
  const withCurl = `if [ -x ${quoted(curl ?? "")} ]; then
  if [ -S "$${address}" ]; then set -- --unix-socket "$${address}" http://localhost
  elif [ -r "$${address}" ]; then read -r url <"$${address}"; set -- "$url"
  else refuse "it is gone"
  fi
  answer=$({ echo "$${token}"; cat; } | ${quoted(curl ?? "")} -q -sf --noproxy '*' --max-time "\${${wait}:-60}" -H Expect: --data-binary @- "$@/$event") ||
    refuse "it does not answer"
  case $answer in
    '{'*'}') printf '%s\\n' "$answer"; exit 0 ;;
    *) refuse "its answer makes no sense" ;;
  esac
fi
`;
  return `#!/bin/sh
# Of Reins: asks it about what an agent that it started is about to do. For everybody else it does nothing.
[ -n "$${token}" ] || { echo '{}'; exit 0; }
event=$1
refuse() {
  case $event in
    ${gating}) echo "Reins could not be asked about this ($1), ${tooBad}" >&2; exit 2 ;;
    *) echo '{}'; exit 0 ;;
  esac
}
${curl === undefined ? "" : withCurl}node=${quoted(node)}
[ -x "$node" ] || node=$(command -v node) || refuse "there is no Node"
exec "$node" "\${0%.sh}.cjs" "$event"
`;
}

/** The same for where there is no curl, or no shell. */
export function nodeShim(): string {
  return `// Of Reins: asks it about what an agent that it started is about to do. For everybody else it does nothing.
"use strict";
const event = process.argv[2];
const say = (text) => { process.stdout.write(text + "\\n", () => process.exit(0)); };
const refuse = (why) => {
  if (!/^(${gating})$/.test(event)) return say("{}");
  process.stderr.write("Reins could not be asked about this (" + why + "), ${tooBad}\\n", () => process.exit(2));
};
const { ${token}: token, ${address}: address, ${wait}: wait } = process.env;
if (!token) say("{}");
else {
  process.on("uncaughtException", () => refuse("it does not answer"));
  setTimeout(() => refuse("it does not answer"), (Number(wait) || 60) * 1000);
  const { readFileSync, statSync } = require("node:fs");
  const to = statSync(address).isSocket() ? { socketPath: address } : { port: new URL(readFileSync(address, "utf8")).port };
  const body = token + "\\n" + readFileSync(0, "utf8");
  const asked = require("node:http").request({ host: "127.0.0.1", ...to, method: "POST", path: "/" + event, agent: false });
  asked.on("response", (response) => {
    let answer = "";
    response.setEncoding("utf8").on("data", (piece) => { answer += piece; });
    response.on("error", () => refuse("it does not answer"));
    response.on("end", () => {
      let found;
      try { found = JSON.parse(answer); } catch {}
      if (response.statusCode !== 200 || typeof found !== "object" || found === null) refuse("its answer makes no sense");
      else say(JSON.stringify(found));
    });
  });
  asked.end(body);
}
`;
}

/** The name says what is in it: another version of Reins has one of its own, and a file of the person's may still name this one. */
export interface Shim {
  readonly folder: string;
  readonly path: string;
}

/** Puts it into a folder, where it stays as long as somebody may call it. */
export async function writeShim(folder: string, programs: ShimPrograms): Promise<Shim> {
  const [shell, script] = [shellShim(programs), nodeShim()];
  const name = `${shimName}-${createHash("sha256").update(shell).update(script).digest("hex").slice(0, 12)}`;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await put(join(folder, `${name}.cjs`), script, 0o600);
  const path = join(folder, `${name}.sh`);
  await put(path, shell, 0o700);
  return { folder, path };
}

export const shimName = "reins-cursor-hook";

/** As it stands in a hooks file: no address and no secret. */
export function commandFor({ path }: Pick<Shim, "path">, event: HookEvent, platform = process.platform): string {
  if (platform !== "win32") return `${quoted(path)} ${event}`;
  return `"${process.execPath}" "${path.replace(/\.sh$/, ".cjs")}" ${event}`;
}

/** Under another name first: one that is being called is never half written. */
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
