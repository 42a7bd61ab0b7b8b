/** The flooding stand-in, read by Reins and by a minimal reader. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createReins, type Session } from "../../src/index.ts";

const flood = fileURLToPath(new URL("flood.mjs", import.meta.url));

export interface Flooded extends AsyncDisposable {
  readonly session: Session;
  /** Sends the prompt and reads every line up to the result: splits Buffers and calls JSON.parse, nothing else. */
  floor(prompt: string): Promise<void>;
}

export async function flooded(): Promise<Flooded> {
  const home = mkdtempSync(join(tmpdir(), "reins-bench-"));
  const reins = createReins({
    env: {
      PATH: process.env["PATH"],
      HOME: home,
      REINS_HOME: home,
      REINS_CLAUDE_COMMAND: flood,
      ANTHROPIC_API_KEY: "made-up-for-the-bench",
    },
  });
  const session = await reins.session({ agent: "claude", cwd: home });
  const child = spawn(process.execPath, [flood], {
    stdio: ["pipe", "pipe", "inherit"],
    // As Reins starts its children: Linux schedules the processor by process groups.
    detached: true,
  });
  let onResult = (): void => {};
  let rest: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      const last = chunk.subarray(start, end);
      const line = rest.length > 0 ? Buffer.concat([...rest, last]) : last;
      rest = [];
      start = end + 1;
      const message = JSON.parse(line.toString()) as { type: string };
      if (message.type === "result") onResult();
    }
    if (start < chunk.length) rest.push(chunk.subarray(start));
  });
  return {
    session,
    async floor(prompt) {
      const { promise, resolve } = Promise.withResolvers<void>();
      onResult = resolve;
      child.stdin.write(`${JSON.stringify({ type: "user", message: { role: "user", content: prompt } })}\n`);
      await promise;
    },
    async [Symbol.asyncDispose]() {
      child.kill();
      await reins.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
