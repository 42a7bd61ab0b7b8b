/**
 * A policy decision among 100,000 rules, compared with the same decision among ten. Includes parsing the command line, without file system
 * access. `node bench/policy.ts` prints one JSON line for each kind of call, in microseconds, and one for compiling the rules.
 */
import { Compiled } from "../src/core/policy/compile.ts";
import { decide } from "../src/core/policy/decide.ts";
import type { Rule } from "../src/core/policy/rule.ts";
import { subjectOf, type Call, type Subject } from "../src/core/policy/subject.ts";
import { interleave, milliseconds } from "./pairs.ts";
import { report } from "./report.ts";

const scope = { cwd: "/work/project", home: "/home/me" };
const pairs = 30;
const rounds = 2000;

/** Rules of every kind; some of each kind share a prefix and some do not. */
function rulesOf(count: number): Compiled {
  const kinds: readonly ((n: number) => Rule)[] = [
    (n) => ({ decision: "deny", command: `program-${n} *` }),
    (n) => ({ decision: "ask", command: `git sub-${n} --force` }),
    (n) => ({ decision: "allow", command: `npm run task-${n} *` }),
    (n) => ({ decision: "deny", tool: "edit", path: `packages/p${n}/**` }),
    (n) => ({ decision: "deny", tool: ["read", "edit"], path: `**/secret-${n}.pem` }),
    (n) => ({ decision: "allow", tool: "edit", path: `src/part-${n}/*.ts` }),
    (n) => ({ decision: "deny", mcp: `server-${n}/delete_*` }),
    (n) => ({ decision: "deny", tool: "web_fetch", domain: `*.host-${n}.test` }),
  ];
  const rules = Array.from({ length: count }, (_, n) => ({
    rule: kinds[n % kinds.length]!(n),
    source: "person" as const,
  }));
  return new Compiled(rules, "agent", scope);
}

const path = (tool: "edit" | "read", file: string): Subject => {
  const parts = [...scope.cwd.split("/").slice(1), ...file.split("/")];
  return {
    tool,
    dynamic: false,
    parts: [{ kind: "path", tool, real: parts, written: parts, mention: false, what: file }],
  };
};
const asked: Readonly<Record<string, (compiled: Compiled) => Subject>> = {
  command: (compiled) => subjectOf(shell("npm run task-99994 --if-present"), compiled),
  "command-line": (compiled) =>
    subjectOf(
      shell(`cd packages/p1 && npm ci | tee log && bash -c 'git status; git log "$X"' && echo "done" 2>&1`),
      compiled,
    ),
  edit: () => path("edit", "packages/web/src/app/main.ts"),
  read: () => path("read", "deep/down/in/a/folder/secret-99996.pem"),
  mcp: (compiled) =>
    subjectOf({ tool: "mcp", input: {}, mcp: { server: "server-99998", tool: "delete_all" } }, compiled),
  fetch: (compiled) => subjectOf({ tool: "web_fetch", input: { url: "https://www.host-99999.test/page" } }, compiled),
};
function shell(command: string): Call {
  return { tool: "shell", input: { command } };
}

const microseconds = async (compiled: Compiled, of: (compiled: Compiled) => Subject): Promise<number> =>
  ((await milliseconds(() => {
    for (let round = 0; round < rounds; round++) decide(compiled, of(compiled));
  })) *
    1000) /
  rounds;

const [many, few] = [rulesOf(100_000), rulesOf(10)];
for (const [name, of] of Object.entries(asked))
  report(
    `policy-${name}`,
    "< 50 µs",
    "µs",
    await interleave(
      pairs,
      () => microseconds(many, of),
      () => microseconds(few, of),
    ),
  );
console.log(
  JSON.stringify({ bench: "policy-ready", ms: Math.round(await milliseconds(() => rulesOf(100_000))), rules: 100_000 }),
);
