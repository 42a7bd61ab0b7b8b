/**
 * Makes the pictures in docs/images from the real output of Reins in a terminal. Needs `script` (Linux). `node scripts/picture.js run`
 * shows a run with one answered permission; `node scripts/picture.js prove` proves the pinned agents that `npm run test:real` has
 * installed, which takes some minutes.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./lib/command.js";
import { agentCache } from "./lib/install-agent.js";

const prompt = "read hello.txt; edit hello.txt Helo -> Hello; say I fixed one word.";
const question = "Allow Edit hello.txt? ";
const scenes = {
  run: { args: ["run", "-a", "demo", prompt], columns: 100 },
  prove: { args: ["doctor", "--prove"], columns: 150 },
};
const fills = { 2: "#8b949e", 31: "#ff7b72", 32: "#7ee787", 33: "#e3b341", 36: "#79c0ff" };
const plain = "#e6edf3";

async function programs() {
  const { allProofs } = await import("../src/testing/proofs.ts");
  const installed = (await allProofs()).flatMap(({ proof }) => proof.install ?? []);
  return installed
    .map((one) => join(agentCache(), `${one.package}@${one.version}`, "node_modules/.bin"))
    .filter(existsSync);
}

/** Records all bytes written to the terminal. */
async function record({ args, columns }) {
  const folder = mkdtempSync(join(tmpdir(), "reins-picture-"));
  writeFileSync(join(folder, "hello.txt"), "Helo, world\n");
  const words = [process.execPath, join(root, "bin/reins.js"), ...args].map((word) => `'${word}'`);
  const command = `stty cols ${columns} rows 60; exec ${words.join(" ")}`;
  const env = {
    PATH: [...(await programs()), process.env.PATH].join(":"),
    HOME: folder,
    REINS_HOME: join(folder, ".reins"),
    TERM: "xterm",
    SHELL: "/bin/sh",
  };
  const child = spawn("/usr/bin/script", ["-qfec", command, "/dev/null"], { cwd: folder, env });
  let seen = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    seen += text;
    if (text.includes(question)) child.stdin.write("y\r");
  });
  await once(child, "close");
  rmSync(folder, { recursive: true, force: true });
  return seen;
}

/** The lines that remain on the screen, without overwritten status lines. */
function lines(recorded) {
  const rest = recorded
    .replaceAll("\r\n", "\n")
    .split("\n")
    .map((line) => line.split("\x1b[2K").at(-1) ?? "");
  // The editor of the question moves the cursor; keep only its colours.
  return rest
    .map((line) => line.replaceAll(/\x1b\[[\d;?]*[A-Zac-ln-z]|\r/g, ""))
    .filter((line, index, all) => line !== "" || index < all.length - 1);
}

function spans(line) {
  let fill = plain;
  return line
    .split(/\x1b\[(\d+)m/)
    .map((part, index) => {
      if (index % 2 === 1) fill = fills[part] ?? plain;
      return index % 2 === 1 || part === "" ? "" : `<tspan fill="${fill}">${escape(part)}</tspan>`;
    })
    .join("");
}

const escape = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

function svg(shown, columns) {
  const [height, width] = [shown.length * 20 + 32, columns * 8.4 + 32];
  const texts = shown.map(
    (line, index) => `  <text x="16" y="${index * 20 + 30}" xml:space="preserve">${spans(line)}</text>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14">`,
    `  <rect width="${width}" height="${height}" rx="8" fill="#0d1117"/>`,
    ...texts,
    "</svg>\n",
  ].join("\n");
}

const name = process.argv[2] ?? "run";
const scene = scenes[name];
if (scene === undefined) throw new Error(`Unknown picture "${name}". Choose ${Object.keys(scenes).join(" or ")}.`);
const typed = scene.args.map((word) => (/^[\w-]+$/.test(word) ? word : `"${word}"`));
mkdirSync(join(root, "docs/images"), { recursive: true });
const shown = [`$ reins ${typed.join(" ")}`, ...lines(await record(scene))];
writeFileSync(join(root, "docs/images", `${name}.svg`), svg(shown, scene.columns));
