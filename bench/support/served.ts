/** The built command's server with its own home. */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Served extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
  readonly pid: number;
  readonly cwd: string;
  readonly home: string;
  readonly startMs: number;
  // oxlint-disable-next-line typescript/no-explicit-any
  call(path: string, body?: unknown): Promise<any>;
}

/** `home`: an existing folder, which is kept. Default: a new one that is removed afterwards. */
export async function served(command: string, home = mkdtempSync(join(tmpdir(), "reins-bench-"))): Promise<Served> {
  const isOurs = arguments.length < 2;
  const cwd = join(realpathSync(home), "work");
  mkdirSync(cwd, { recursive: true });
  const env = { PATH: process.env["PATH"], HOME: home, REINS_HOME: join(home, "reins") };
  const began = performance.now();
  const child = spawn(process.execPath, [command, "serve", "--port", "0"], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let complaint = "";
  child.stderr.on("data", (chunk: Buffer) => (complaint = `${complaint}${chunk.toString()}`.slice(-2_000)));
  const [line] = (await child.stdout[Symbol.asyncIterator]().next()).value?.toString().split("\n") ?? [];
  const startMs = performance.now() - began;
  const [, url, token] = /^(http:\S+)\/#token=(\S+)$/.exec(line ?? "") ?? [];
  if (url === undefined || token === undefined || child.pid === undefined)
    throw new Error(`The server did not start: ${complaint}`);
  const gone = new Promise((resolve) => child.once("exit", resolve));
  return {
    url,
    token,
    pid: child.pid,
    cwd,
    home,
    startMs,
    async call(path, body) {
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      const sent = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
      const answer = await fetch(url + path, { headers, ...sent });
      if (!answer.ok) throw new Error(await answer.text());
      return answer.json();
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await gone;
      if (isOurs) rmSync(home, { recursive: true, force: true });
    },
  };
}
