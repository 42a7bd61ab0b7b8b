import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { read, root } from "./source.ts";

/** Makes Node report an old version. */
const oldNode = [
  "--import",
  `data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.1.0"}})`,
];

/** A package like the installed one, whose command prints what it was given. */
function makePackage(folder: string, main: string): string {
  mkdirSync(join(folder, "bin"), { recursive: true });
  mkdirSync(join(folder, "dist"));
  for (const file of ["bin/reins.js", "bin/package.json"]) copyFileSync(join(root, file), join(folder, file));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "reins", version: "1.2.3", type: "module" }));
  writeFileSync(join(folder, "dist/cli.cjs"), main);
  return join(folder, "bin/reins.js");
}

const tells = `exports.main = async function (argv) {
  process.stdout.write(JSON.stringify({ argv, node: process.versions.node, mark: process.env.REINS_AGAIN ?? null }));
  process.exitCode = 7;
}`;
const waits = `exports.main = async function () {
  process.stdout.write("started");
  setInterval(() => {}, 1000);
}`;

const folder = mkdtempSync(join(tmpdir(), "reins-bin-"));
const alone = makePackage(join(folder, "alone"), tells);
const withNode = makePackage(join(folder, "with-node"), tells);
const waiting = makePackage(join(folder, "waiting"), waits);

beforeAll(() => {
  for (const name of ["with-node", "waiting"]) {
    mkdirSync(join(folder, name, "node_modules"));
    symlinkSync(join(root, "node_modules/node"), join(folder, name, "node_modules/node"));
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  return { status, stdout, stderr };
}

test.each(["--version", "-v"])("answers %s at once, on an old Node too", (flag) => {
  expect(run(alone, flag)).toEqual({ status: 0, stdout: "1.2.3\n", stderr: "" });
  expect(run(...oldNode, alone, flag)).toEqual({ status: 0, stdout: "1.2.3\n", stderr: "" });
});

test("exits like any other output when the reader of --version is gone", async () => {
  const child = spawn(process.execPath, [alone, "-v"], { stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.destroy();
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
  await once(child, "close");
  expect({ code: child.exitCode, said }).toEqual({ code: 141, said: "" });
});

test("passes the arguments to the command and returns its exit code", () => {
  const { status, stdout } = run(alone, "run", "-a", "x", "--", "-y");
  expect(status).toBe(7);
  expect(JSON.parse(stdout)).toMatchObject({ argv: ["run", "-a", "x", "--", "-y"] });
});

test("a clone runs its sources directly", () => {
  const { PATH } = process.env;
  const env = { PATH, HOME: folder, REINS_HOME: join(folder, "home"), REINS_CURSOR_CLOUD_URL: "http://127.0.0.1:9" };
  const args = [join(root, "bin/reins.js"), "run", "-a", "demo", "say hi"];
  expect(spawnSync(process.execPath, args, { cwd: folder, env, encoding: "utf8" })).toMatchObject({
    status: 0,
    stdout: "hi\n",
  });
});

test("fails with one sentence on an old Node without a newer one", () => {
  const { status, stdout, stderr } = run(...oldNode, alone, "run", "hello");
  expect(status).toBe(1);
  expect(stdout).toBe("");
  expect(stderr).toMatch(/^reins needs Node 22\.18 or newer and this is 20\.1\.0: .+\n$/);
});

test("starts a newer Node when there is one beside an old one", () => {
  const { status, stdout, stderr } = run(...oldNode, withNode, "run", "a b");
  expect(stderr).toBe("");
  expect(status).toBe(7);
  expect(JSON.parse(stdout)).toEqual({ argv: ["run", "a b"], node: process.versions.node, mark: null });
});

test("the entry is written in ES5", () => {
  const code = read("bin/reins.js").replace(/\/\/.*|\/\*[\s\S]*?\*\/|"(?:[^"\\]|\\.)*"/g, "");
  expect(code.match(/=>|\b(?:const|let|async|await|class)\b|\?\.|\?\?|`|\.\.\./g)).toBeNull();
});

describe.skipIf(process.platform === "win32")("the newer Node that was started", () => {
  async function start(): Promise<ChildProcess> {
    const wrapper = spawn(process.execPath, [...oldNode, waiting, "run"], { stdio: ["ignore", "pipe", "inherit"] });
    await once(wrapper.stdout as NodeJS.ReadableStream, "data");
    return wrapper;
  }

  // `close` fires when the pipe ends, and both processes hold it: a test does not end while one of them lives.

  test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("receives %s, and the exit status shows it", async (signal) => {
    const wrapper = await start();
    wrapper.kill(signal);
    await once(wrapper, "close");
    expect(wrapper.signalCode).toBe(signal);
  });

  test("does not survive a kill -9 of the old process", async () => {
    const wrapper = await start();
    wrapper.kill("SIGKILL");
    await once(wrapper, "close");
    expect(wrapper.signalCode).toBe("SIGKILL");
  });
});
