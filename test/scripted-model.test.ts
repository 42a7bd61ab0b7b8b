import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const command = fileURLToPath(new URL("scripted-model.ts", import.meta.url));
const start = (...args: string[]) => spawn(process.execPath, [command, ...args], { stdio: ["ignore", "pipe", "pipe"] });

test("the command prints its address and plays the given scenarios", async () => {
  const folder = await mkdtemp(join(tmpdir(), "reins-serve-"));
  const file = join(folder, "mine.json");
  await writeFile(file, JSON.stringify([{ name: "mine", steps: [[{ say: "in {cwd}" }]] }]));
  const child = start("--scenarios", file, "--cwd", "/somewhere", "--fallback", "mine");
  try {
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    const { url } = JSON.parse(line.toString()) as { url: string };
    const body = JSON.stringify({ messages: [{ role: "user", content: "hi" }] });
    const answer = await fetch(`${url}/v1/messages`, { method: "POST", body });
    expect(await answer.json()).toMatchObject({ content: [{ text: "in /somewhere" }] });
  } finally {
    child.kill();
    await rm(folder, { recursive: true });
  }
});

test("reports an error in one line", async () => {
  const child = start("--agent", "nobody");
  const [said] = await Promise.all([text(child.stderr), once(child, "exit")]);
  expect(said).toMatch(/^There is no agent nobody; there are .*\n$/);
  expect(child.exitCode).toBe(1);
});
