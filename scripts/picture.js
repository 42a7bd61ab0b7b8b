/** Makes docs/images/run.svg: what `reins run` really shows at a terminal, with one permission answered. Needs `script` (Linux). */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./lib/command.js";

const prompt = "read hello.txt; edit hello.txt Helo -> Hello; say I fixed one word.";
const question = "Allow Edit hello.txt? ";
const columns = 100;
const fills = { 2: "#8b949e", 31: "#ff7b72", 32: "#7ee787", 33: "#e3b341", 36: "#79c0ff" };
const plain = "#e6edf3";

/** The bytes of the terminal, from the first to the last. */
async function record() {
  const folder = mkdtempSync(join(tmpdir(), "reins-picture-"));
  writeFileSync(join(folder, "hello.txt"), "Helo, world\n");
  const command = `stty cols ${columns} rows 40; exec '${process.execPath}' '${join(root, "bin/reins.js")}' run -a demo '${prompt}'`;
  const env = {
    PATH: process.env.PATH,
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

/** The lines that are left on the screen: what a status line rewrote is gone. */
function lines(recorded) {
  const rest = recorded
    .replaceAll("\r\n", "\n")
    .split("\n")
    .map((line) => line.split("\x1b[2K").at(-1) ?? "");
  // The editor of the question places the cursor; only its colours are of interest here.
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

function svg(shown) {
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

mkdirSync(join(root, "docs/images"), { recursive: true });
writeFileSync(join(root, "docs/images/run.svg"), svg([`$ reins run -a demo "${prompt}"`, ...lines(await record())]));
