/** Tests the package as users get it on the oldest supported Node: packed, installed into an empty folder and used. */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { must, root, run } from "./lib/command.js";
import { filesUnder } from "./lib/files.js";
import { agentCache, installAgent } from "./lib/install-agent.js";

const nodeVersion = "22.18.0";
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

async function oldestNode() {
  const cache = agentCache();
  mkdirSync(cache, { recursive: true });
  await installAgent(cache, { package: "node", version: nodeVersion, bin: "node" });
  return join(cache, `node@${nodeVersion}`, "node_modules", ".bin", "node");
}

async function install(folder) {
  const npm = ["--no-audit", "--no-fund", "--loglevel=error"];
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  await must("npm", ["pack", ...npm, "--pack-destination", folder], { quiet: true });
  const tarball = join(folder, `reins-${version}.tgz`);
  await must("npm", ["install", ...npm, "--prefix", folder, "--prefer-offline", tarball], { cwd: folder, quiet: true });
}

const folder = mkdtempSync(join(tmpdir(), "reins-min-"));
const node = await oldestNode();
await install(folder);
const reins = join(folder, "node_modules", "reins", "bin", "reins.js");
const work = join(folder, "work");
mkdirSync(work);

/** Leaves out the repository's newer Node and the person's home. */
const env = {
  PATH: [dirname(node), "/usr/bin", "/bin"].join(delimiter),
  HOME: folder,
  TMPDIR: folder,
  NODE_NO_WARNINGS: "1",
  CI: "1",
};
const uses =
  (text) =>
  ({ output }) =>
    output.includes(text) || `did not print ${text}`;
const wrote = (file, text) => () => readFileSync(join(work, file), "utf8") === text || `${file} is not “${text}”`;

const checks = [
  ["runs on the oldest supported Node", ["-p", "process.version"], uses(`v${nodeVersion}`)],
  ["reins --version", [reins, "--version"], uses(version)],
  ["reins --help", [reins, "--help"], uses("reins run")],
  ["reins agents", [reins, "agents"], uses("demo")],
  [
    "reins run",
    [reins, "run", "-a", "demo", "--mode", "full", "write a.txt hello; run cat a.txt; say done"],
    wrote("a.txt", "hello"),
  ],
  ["reins run --json", [reins, "run", "-a", "demo", "--json", "say hi"], uses('"turn.completed"')],
  ["reins sessions", [reins, "sessions"], uses("say hi")],
  ["reins fork", [reins, "fork", "last", "say forked"], uses("forked")],
  ["reins search", [reins, "search", "forked"], uses("say forked")],
  ["reins sessions rm", [reins, "sessions", "rm", "last"], uses("Removed ses_")],
  ["reins gc", [reins, "gc"], uses("Removed 0 sessions")],
  [
    "prints no warning",
    [reins, "log", "last", "--json"],
    ({ output }) => !output.includes("Warning") || "printed a warning",
  ],
  ["reins tour", [reins, "tour"], uses("Try next")],
  [
    "import reins/store",
    ["-e", 'import("reins/store").then(({ openStore }) => console.log(openStore().sessions.list().length > 0))'],
    uses("true"),
  ],
  [
    "import reins/client",
    [
      "-e",
      'import("reins/client").then(({ createClient }) => console.log(typeof createClient({ url: "http://x" }).run))',
    ],
    uses("function"),
  ],
  [
    "import reins/testing",
    ["-e", 'import("reins/testing").then((all) => console.log(Object.keys(all).length > 0))'],
    uses("true"),
  ],
  [
    "programs that are started by path exist",
    [
      "-p",
      'const dist = path.join(require.resolve("reins/package.json"), "../dist"); ["guardian-main", "terminal-holder-main", "mcp-server-main"].every((name) => fs.existsSync(path.join(dist, `${name}.js`)))',
    ],
    uses("true"),
  ],
  [
    "declarations keep the doc comments",
    [
      "-p",
      'fs.readFileSync(path.join(require.resolve("reins/package.json"), "../dist/events/schema/index.d.ts"), "utf8")',
    ],
    ({ output }) => /\*\/\s+deadline:/.test(output) || "the field `deadline` has no comment",
  ],
];
for (const example of filesUnder("examples")) {
  copyFileSync(join(root, example), join(folder, basename(example)));
  if (example.endsWith(".ts")) checks.push([example, [join(folder, basename(example))], () => true]);
}

let failed = 0;
for (const [name, args, check] of checks) {
  const result = await run(node, args, { cwd: work, env, quiet: true, ownTools: false });
  const verdict = result.ok ? check(result) : "failed";
  console.log(`${verdict === true ? "ok    " : "FAILED"} ${name} (${result.seconds.toFixed(1)} s)`);
  if (verdict === true) continue;
  failed += 1;
  console.log(`${verdict}:\n${result.output}`);
}
rmSync(folder, { recursive: true, force: true });
console.log(`${checks.length - failed} passed, ${failed} failed`);
if (failed > 0) process.exitCode = 1;
