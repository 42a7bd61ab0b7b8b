import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { fc } from "../../../../test/support/fast-check.ts";
import { readCommandLine } from "./read.ts";
import { nameOf } from "./unwrap.ts";

const quote = (line: string): string => `'${line.replaceAll("'", "'\\''")}'`;

/** Ways to run a line inside another one. */
const hidings: readonly ((line: string) => string)[] = [
  (line) => `true && ${line}`,
  (line) => `false || ${line}`,
  (line) => `true; ${line}`,
  (line) => `true | ${line}`,
  (line) => `true & ${line}`,
  (line) => `true\n${line}`,
  (line) => `(${line}\n)`,
  (line) => `{ ${line}\n}`,
  (line) => `! { ${line}\n}`,
  (line) => `bash -c ${quote(line)}`,
  (line) => `bash -ec ${quote(line)} name`,
  (line) => `bash -o pipefail -c ${quote(line)}`,
  (line) => `env bash -c ${quote(line)}`,
  (line) => `env A=1 bash -c ${quote(line)}`,
  (line) => `time bash -c ${quote(line)}`,
  (line) => `nice -n 1 nohup bash -c ${quote(line)} > out`,
  (line) => `command exec bash -c ${quote(line)}`,
  (line) => `echo x | xargs -n 1 bash -c ${quote(line)}`,
  (line) => `eval ${quote(line)}`,
  (line) => `trap ${quote(line)} EXIT`,
  (line) => `echo "$(${line}\n)"`,
  (line) => `echo \${X:-"$(${line}\n)"}`,
  (line) => `cat <(${line}\n) > out`,
  (line) => `if ${line}\nthen true; fi`,
  (line) => `for i in 1; do ${line}\ndone`,
  (line) => `case a in a) ${line}\n;; esac`,
  (line) => `f() { ${line}\n}; f`,
  (line) => `bash <<'END OF IT'\n${line}\nEND OF IT`,
  (line) => `cat <<EOF > out\n$(${line}\n)\nEOF`,
  (line) => `bash <<< ${quote(line)}`,
  (line) => `X=${quote(line)}; eval "$X"`,
  (line) => `find . -maxdepth 0 -exec bash -c ${quote(line)} \\;`,
];
const victims = [
  "victim",
  "\\victim",
  "vic''tim",
  '"victim"',
  "'vic'tim",
  "v\\\nictim",
  "./victim",
  "$'vic\\x74im'",
  "vict?m",
  "{victim,x}",
  "V=1 victim",
  "$PWD/victim",
];

const hidden = fc
  .tuple(fc.constantFrom(...victims), fc.array(fc.constantFrom(...hidings), { maxLength: 4 }))
  .map(([victim, ways]) => ways.reduce((line, hide) => hide(line), victim));

function knows(line: string): boolean {
  const { commands, dynamic } = readCommandLine(line);
  return dynamic || commands.some(({ words }) => nameOf(words[0]?.text ?? "") === "victim");
}

it("sees a hidden command or reports that it does not see everything", () => {
  fc.assert(
    fc.property(hidden, (line) => knows(line)),
    { numRuns: 1000 },
  );
});

const noise = "'\"\\$`(){}[];&|<>#*!=~ \n".split("");

it("never throws", () => {
  const pieces = fc.constantFrom(...noise, "a", "-c", "sh ", "\u0000", "\ud800", "é");
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), (line) => {
      expect(readCommandLine(line.join("")).commands).toBeInstanceOf(Array);
    }),
    { numRuns: 1000 },
  );
});

it.each(["(", "$(", '"${', "`\\`", "sudo ", "bash -c '", "{ ", "<<a ", "eval "])("survives very many %j", (piece) => {
  expect(readCommandLine(`${piece.repeat(5_000)}rm x`).commands).toBeInstanceOf(Array);
});

const bash = spawnSync("bash", ["--version"]).status === 0;

/** Runs hidden and then damaged lines in a real shell: whatever it runs was seen, or the reading is dynamic. */
it.runIf(bash)("never knows less than bash", () => {
  fc.assert(
    fc.property(hidden, fc.array(fc.tuple(fc.nat(), fc.constantFrom(...noise)), { maxLength: 3 }), (line, damage) => {
      const damaged = damage.reduce((text, [place, piece]) => {
        const at = place % (text.length + 1);
        return text.slice(0, at) + piece + text.slice(at);
      }, line);
      expect(runs(damaged) && !knows(damaged) ? damaged : "").toBe("");
    }),
    { numRuns: 60 },
  );
});

it.runIf(bash)("recreates the victim after a line that emptied it", () => {
  expect(runs("> victim")).toBe(false);
  expect(runs("victim")).toBe(true);
});

let folder: string;
let count = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "reins-shell-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));

/** Created again for each line: a line such as `> victim` makes it an empty program that no later line would run. */
function makeVictim(): void {
  const victim = join(folder, "victim");
  rmSync(victim, { recursive: true, force: true });
  writeFileSync(victim, '#!/bin/sh\n: > "$(dirname "$0")/$MARK"\nexit 1\n', { mode: 0o755 });
}

function runs(line: string): boolean {
  makeVictim();
  // A unique mark: a background process of an earlier line may finish late.
  const MARK = `ran-${count++}`;
  const env = { PATH: `${folder}:/usr/bin:/bin`, HOME: folder, MARK };
  spawnSync("bash", ["-c", line], { cwd: folder, env, stdio: "ignore", timeout: 5000 });
  return existsSync(join(folder, MARK));
}
