/** Small real programs and real process tables for tests. */
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { defaultDeadlines, type Deadlines } from "../../src/events/deadlines.ts";
import { defaultLimits } from "../../src/events/limits.ts";
import { createRedactor } from "../../src/events/redact.ts";
import { createProcesses, type ProcessesOptions } from "../../src/process/index.ts";
import { marksOf } from "../../src/process/table/markers.ts";
import type { LaunchSpec, LineBatch, Processes } from "../../src/process/types.ts";

/** A folder that is removed at the end of its `using` block. */
export function temporaryFolder(): { readonly path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), "reins-test-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

export function shellScript(folder: string, name: string, body: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${body}\n`);
  chmodSync(path, 0o755);
  return path;
}

/** Short deadlines for children that do not end on request. */
export const hurried: Deadlines = { ...defaultDeadlines, politeClose: 300, term: 300, drain: 100 };

export function testProcesses(home: string, options: Partial<ProcessesOptions> = {}): Processes {
  return createProcesses({
    env: {},
    deadlines: hurried,
    limits: defaultLimits,
    redact: createRedactor({}),
    guardian: false,
    home,
    ...options,
  });
}

export function launchSpec(spec: Partial<LaunchSpec> & Pick<LaunchSpec, "command" | "cwd">): LaunchSpec {
  return { args: [], env: { PATH: process.env["PATH"] ?? "" }, agent: "test", stdin: "ignore", ...spec };
}

export async function allLines(batches: AsyncIterable<LineBatch>): Promise<string[]> {
  const lines: string[] = [];
  for await (const batch of batches) lines.push(...batch.lines);
  return lines;
}

/** The running processes (Linux) with the mark of this run. */
export function marked(run: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && isMarked(name, run))
    .map(Number);
}

function isMarked(pid: string, run: string): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    if (/^. [ZX]/.test(stat.slice(stat.lastIndexOf(")")))) return false;
    return marksOf(readFileSync(`/proc/${pid}/environ`))?.runs.includes(run) ?? false;
  } catch {
    return false;
  }
}

export function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return !/^. [ZX]/.test(stat.slice(stat.lastIndexOf(")")));
  } catch {
    return false;
  }
}

/** Polls until the condition is true; fails after the deadline, which is before a `sleep 60` ends by itself. */
export async function until(condition: () => boolean, what: string, deadlineMs = 30_000): Promise<void> {
  const began = Date.now();
  while (!condition()) {
    if (Date.now() - began > deadlineMs) throw new Error(`not within ${deadlineMs} ms: ${what}`);
    await setTimeout(10);
  }
}
