/**
 * The overhead Reins adds to every tool call of an agent that runs hooks: the hook command, compared with a process that does nothing
 * (`true`), both started through a shell. `node bench/hooks.ts` prints one JSON line each, in milliseconds: a hook that is answered, the
 * same without Perl, and a hook of a process that Reins did not start; then the processor time of an idle session.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { commandFor, writeShim } from "../src/agents/cursor/hooks/shim.ts";
import { hookScene } from "../test/support/cursor-hooks.ts";
import { interleave, milliseconds, percentile, rounded } from "./pairs.ts";

const pairs = 60;
const idleMs = 5_000;
const input = JSON.stringify({
  tool_name: "Shell",
  tool_input: { command: "npm test" },
  conversation_id: "c",
  generation_id: "g",
});

await using scene = await hookScene();
const { hooks } = scene;
const { said } = scene;
const push = said.push.bind(said);
said.push = (...events) => {
  for (const event of events)
    if (event.type === "tool.held") setImmediate(() => hooks.answer(event.requestId, { decision: "allow" }));
  return push(...events);
};

async function run(command: string, env: Readonly<Record<string, string>>, answer?: string): Promise<void> {
  const child = spawn("/bin/sh", ["-c", command], { env: { PATH: process.env["PATH"], ...env } });
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const [said] = await Promise.all([text(child.stdout), once(child, "close")]);
  if (answer !== undefined && said.trim() !== answer) throw new Error(`The hook printed ${said} instead of ${answer}.`);
}

async function measure(bench: string, once: () => Promise<void>): Promise<void> {
  const took: number[] = [];
  const floor: number[] = [];
  const timed = async (into: number[], work: () => Promise<void>): Promise<number> => {
    const ms = await milliseconds(work);
    into.push(ms);
    return ms;
  };
  const { a, b } = await interleave(
    pairs,
    () => timed(took, once),
    () => timed(floor, () => run("true", {})),
  );
  // Skip the first pair: it warms up.
  const [p95, floorP95] = [took, floor].map((times) => percentile(times.slice(1), 95)) as [number, number];
  const above = p95 - floorP95;
  const goal = "p95 < 50 ms more than `true`";
  console.log(
    JSON.stringify({
      bench,
      above: rounded(above),
      goal,
      median: rounded(a),
      p95: rounded(p95),
      floor: rounded(b),
      unit: "ms",
      pairs,
    }),
  );
}

const command = scene.command("preToolUse");
const slower = await writeShim(join(scene.folder, "slower"), { node: process.execPath, perl: undefined });
await measure("hook-asked", () => run(command, hooks.env, '{"permission":"allow"}'));
await measure("hook-asked-without-perl", () =>
  run(commandFor(slower, "preToolUse"), hooks.env, '{"permission":"allow"}'),
);
await measure("hook-without-token", () => run(command, {}, "{}"));

const before = process.cpuUsage();
await setTimeout(idleMs);
const { user, system } = process.cpuUsage(before);
const percent = ((user + system) / 1000 / idleMs) * 100;
console.log(JSON.stringify({ bench: "hooks-idle", percent: rounded(percent), goal: "about 0 % of a processor" }));
