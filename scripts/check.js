/** Runs all static checks. Prints one line per tool, and the output of each tool that failed. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root, run } from "./lib/command.js";
import { filesUnder } from "./lib/files.js";

const packed = async () => {
  const built = await run("node", ["scripts/build.js"], { quiet: true });
  return built.ok ? run("publint", ["run", "--strict", "--pack", "npm"], { quiet: true }) : built;
};

const tools = {
  tsc: () => run("tsc", ["-p", "."], { quiet: true }),
  "tsc web": () => run("tsc", ["-p", "src/web"], { quiet: true }),
  oxlint: () => run("oxlint", [], { quiet: true }),
  oxfmt: () => run("oxfmt", ["--check"], { quiet: true }),
  knip: () => run("knip", ["--no-progress"], { quiet: true }),
  publint: packed,
  links: () => run("node", ["scripts/links.js"], { quiet: true }),
  spelling: () => run("node", ["scripts/spelling.js"], { quiet: true }),
};

let failed = 0;
await Promise.all(
  Object.entries(tools).map(async ([name, tool]) => {
    const { ok, output, seconds } = await tool();
    console.log(`${ok ? "ok    " : "FAILED"} ${name.padEnd(8)} ${seconds.toFixed(1)} s`);
    if (ok) return;
    failed += 1;
    console.log(output);
  }),
);

console.log("\nThe ten longest files:");
const lengths = filesUnder("src", "bin", "scripts", "test", "bench", "examples")
  .filter((file) => /\.[jt]sx?$/.test(file) && !file.includes("/fixtures/"))
  .map((file) => ({ file, lines: readFileSync(join(root, file), "utf8").split("\n").length - 1 }))
  .sort((a, b) => b.lines - a.lines);
for (const { file, lines } of lengths.slice(0, 10)) console.log(`${String(lines).padStart(6)} ${file}`);

if (failed > 0) {
  console.error(`\n${failed} of ${Object.keys(tools).length} tools reported problems.`);
  process.exitCode = 1;
}
