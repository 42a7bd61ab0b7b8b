/**
 * Random command lines, read by Reins and run by bash: a line that Reins calls fully known runs only commands that Reins lists.
 * `npm run test:fuzz` generates 100,000 lines; REINS_FUZZ_LINES and REINS_TEST_SEED choose how many, and which.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readCommandLine } from "./read.ts";
import type { SimpleCommand } from "./types.ts";
import { nameOf } from "./unwrap.ts";

const bash = programPath("bash");
const lines = Number(process.env["REINS_FUZZ_LINES"] ?? 3_000);
const seed = Number(process.env["REINS_TEST_SEED"] ?? 1);
const atOnce = 500;

it.runIf(bash !== undefined)(
  `lists every command that bash runs, for lines it calls fully known (${lines} lines, seed ${seed})`,
  { timeout: 60_000 + lines * 20 },
  () => {
    const place = new Place();
    onTestFinished(() => place[Symbol.dispose]());
    const random = new Random(seed);
    let [known, ran] = [0, 0];
    for (let made = 0; made < lines; made += atOnce) {
      const batch = Array.from({ length: Math.min(atOnce, lines - made) }, () => damaged(line(random, 2), random));
      const readings = batch.map((text) => ({ text, ...readCommandLine(text) })).filter(({ dynamic }) => !dynamic);
      const results = place.run(readings.map(({ text }) => text));
      readings.forEach(({ text, commands }, at) => {
        const unlisted = results[at]!.filter((argv) => !commands.some((command) => isSame(command, argv)));
        expect({ text, unlisted }).toEqual({ text, unlisted: [] });
        ran += results[at]!.length;
      });
      known += readings.length;
    }
    // Enough lines must be fully known and must run something, otherwise the test shows nothing.
    expect(known).toBeGreaterThan(lines / 6);
    expect(ran).toBeGreaterThan(lines / 6);
  },
);

function isSame({ words }: SimpleCommand, argv: readonly string[]): boolean {
  const glob = words.findIndex((word) => word.glob);
  const compared = glob === -1 ? words.length : glob;
  if (glob === -1 && words.length !== argv.length) return false;
  // A tilde stands for a folder, which rules about paths know.
  return words
    .slice(0, compared)
    .every(({ text }, at) => text.includes("~") || (at === 0 ? nameOf(text) : text) === argv[at]);
}

/** Programs that log how they were called, and real ones that start others. */
const programs = ["aa", "bb", "cc", "git", "cat", "sort"];
const starters = ["bash", "sh", "env", "nice", "nohup", "timeout", "setsid", "stdbuf", "xargs", "find", "flock"];

class Place implements Disposable {
  readonly #root = mkdtempSync(join(tmpdir(), "reins-fuzz-"));
  readonly #bin = join(this.#root, "bin");

  constructor() {
    mkdirSync(this.#bin);
    const stub = `#!/bin/sh\nprintf '%s\\037' "\${0##*/}" "$@" '\u001e' >> "$LOG"\n`;
    for (const name of programs) writeFileSync(join(this.#bin, name), stub, { mode: 0o755 });
    for (const name of starters) {
      const path = programPath(name);
      if (path !== undefined) symlinkSync(path, join(this.#bin, name));
    }
  }

  /** The program and arguments of each command that a line ran. */
  run(texts: readonly string[]): readonly (readonly (readonly string[])[])[] {
    const work = join(this.#root, "work");
    const logs = join(this.#root, "logs");
    for (const folder of [work, logs]) {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder);
    }
    for (const name of ["aa", "ab", "a b"]) writeFileSync(join(work, name), "aa\n");
    writeFileSync(join(this.#root, "lines"), texts.map((text) => `${text}\0`).join(""));
    const driver = `at=0
while IFS= read -r -d '' line <&3; do
  ( export LOG="$LOGS/$at" PATH="$BIN"; unset LOGS BIN; exec 3<&-; cd "$WORK" || exit; eval "$line"; wait ) </dev/null >/dev/null 2>&1
  at=$((at + 1))
done 3< "$LINES"`;
    const env = { PATH: "/usr/bin:/bin", LINES: join(this.#root, "lines"), LOGS: logs, BIN: this.#bin, WORK: work };
    spawnSync(bash!, ["-c", driver], { env, stdio: "ignore", timeout: 120_000 });
    return texts.map((_, at) => logged(join(logs, String(at))));
  }

  [Symbol.dispose](): void {
    rmSync(this.#root, { recursive: true, force: true, maxRetries: 3 });
  }
}

function logged(file: string): readonly (readonly string[])[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    // The line ran none of the programs.
    return [];
  }
  return text
    .split("\u001e\u001f")
    .slice(0, -1)
    .map((call) => call.split("\u001f").slice(0, -1));
}

function programPath(name: string): string | undefined {
  const { status, stdout } = spawnSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}

/** The mulberry32 random number generator. */
class Random {
  #state: number;

  constructor(from: number) {
    this.#state = from >>> 0;
  }

  below(count: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % count;
  }

  of<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)]!;
  }
}

const names = [
  "aa",
  "bb",
  "cc",
  "git",
  "a\\a",
  "'bb'",
  '"cc"',
  "b''b",
  "./aa",
  "a\\\na",
  "$'aa'",
  "a?",
  "{aa,x}",
  "cat",
  "sort",
];
const words = [
  ...[
    "x",
    "-n",
    "--x=y",
    "a=b",
    "'a b'",
    '"c d"',
    "\\*",
    "*",
    "a*",
    "[ab]",
    "{}",
    "{a,b}",
    "HEAD@{1}",
    "~",
    "a\\ b",
    "''",
    "#",
    "!",
  ],
  ...[
    "$x",
    "${x:-aa}",
    "$(aa)",
    "`aa`",
    "$((1))",
    "<(aa)",
    "$'x'",
    '"$(aa)"',
    "'$(aa)'",
    "\\$(aa)",
    "é",
    "a#b",
    "-c",
    "%s",
    "apply",
  ],
];
const redirections = [
  "> x",
  ">> x",
  "2>&1",
  "< aa",
  "<<< aa",
  "<<E\naa\nE\n",
  "<<'E'\n$(aa)\nE\n",
  "&> x",
  ">| x",
  "2>/dev/null",
  "> 'x y'",
  "</dev/null",
];
/** Ways to evaluate a quoted argument. */
const evaluating = [
  ...[
    "printf -v 'a[$(aa)]' y",
    "test -v 'a[$(aa)]'",
    "[ -v 'a[`aa`]' ]",
    "let 'a[$(aa)]=1'",
    "declare 'a[$(aa)]=1'",
    "declare -i n='a[$(aa)]'",
  ],
  ...[
    "typeset -i 'n=a[$(aa)]'",
    "read 'a[$(aa)]' <<< x",
    "mapfile -C aa -c 1 a < aa",
    "compgen -C aa",
    "compgen -W '$(aa)'",
    "export 'a[$(aa)]=1'",
  ],
  ...[
    "unset 'a[$(aa)]'",
    "wait -n -p 'a[$(aa)]'",
    "printf -v PATH x; bb",
    "[[ -v 'a[$(aa)]' ]]",
    "((a[$(aa)]))",
    "eval aa",
    "trap aa EXIT",
    ". aa",
  ],
  ...[
    "alias bb=aa; bb",
    "bb() { aa; }; bb",
    "set -- aa; $1",
    "coproc aa",
    "x=aa; $x",
    "source aa",
    "enable -n printf",
    "hash -p aa bb; bb",
  ],
];

function line(random: Random, depth: number): string {
  const inner = (): string => line(random, depth - 1);
  if (depth <= 0) return simple(random);
  switch (random.below(26)) {
    case 0:
      return `${inner()} && ${inner()}`;
    case 1:
      return `${inner()} || ${inner()}`;
    case 2:
      return `${inner()}; ${inner()}`;
    case 3:
      return `${inner()} | ${inner()}`;
    case 4:
      return `${inner()}\n${inner()}`;
    case 5:
      return `(${inner()}\n)`;
    case 6:
      return `{ ${inner()}\n}`;
    case 7:
      return `! ${inner()}`;
    case 8:
      return `bash -c ${quoted(inner())}`;
    case 9:
      return `sh -ec ${quoted(inner())} name`;
    case 10:
      return `env ${random.of(["", "A=1 ", "-i ", "-u X ", "-S "])}${simple(random)}`;
    case 11:
      return `${random.of(["nice ", "nice -n 1 ", "nohup ", "setsid -w ", "stdbuf -o0 ", "timeout 5 ", "timeout -k 1 5 ", "time ", "time -p "])}${simple(random)}`;
    case 12:
      return `${random.of(["command ", "exec ", "builtin ", "command -v ", "exec -a x "])}${simple(random)}`;
    case 13:
      return `echo aa | xargs ${simple(random)}`;
    case 14:
      return `find . -maxdepth 0 -exec ${simple(random)} \\;`;
    case 15:
      return `flock x ${simple(random)}`;
    case 16:
      return `if ${inner()}\nthen ${inner()}\nfi`;
    case 17:
      return `for i in 1; do ${inner()}\ndone`;
    case 18:
      return `echo "$(${inner()}\n)"`;
    case 19:
      return `cat <<E\n$(${inner()}\n)\nE\n`;
    case 20:
      return `bash <<'E'\n${inner()}\nE\n`;
    case 21:
      return `${inner()} & ${inner()}`;
    case 22:
      return random.of(evaluating);
    default:
      return simple(random);
  }
}

function simple(random: Random): string {
  const parts = [random.of(random.below(4) > 0 ? names.slice(0, 10) : names)];
  for (let count = random.below(4); count > 0; count--)
    parts.push(random.of(random.below(6) > 0 ? words.slice(0, 8) : words));
  if (random.below(25) === 0) parts.unshift(random.of(["A=1", "PATH=x", "A=$(aa)"]));
  if (random.below(5) === 0) parts.push(random.of(redirections));
  return parts.join(" ");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

const noise = [..."'\"\\$`(){}[];&|<>#*!=~?, \n\t".split(""), "-c", "$(", "<<", ">&", "a[", "]=", "\r"];

/** Damages some lines with unexpected characters. */
function damaged(text: string, random: Random): string {
  for (let count = Math.max(0, random.below(8) - 4); count > 0; count--) {
    const at = random.below(text.length + 1);
    text = text.slice(0, at) + random.of(noise) + text.slice(at);
  }
  return text;
}
