/** A Reins with a store that is killed with SIGKILL, and checks of what it leaves. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import type { Reins } from "../../src/core/api.ts";
import type { Store } from "../../src/core/log/types.ts";
import { expectLawful } from "./lawful.ts";

const victim = fileURLToPath(new URL("./kept-victim.ts", import.meta.url));

export interface Crash {
  readonly store: string;
  readonly cwd: string;
  readonly agent: string;
  readonly mode: string;
  readonly prompt: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Called with each line, the first of which is the session id; returning true kills the process. */
  readonly when?: ((line: string, count: number) => boolean | Promise<boolean>) | undefined;
  /** Kills the process after this time. With `when` it counts from the first line, because a busy machine takes long to get there. */
  readonly afterMs?: number;
}

export interface Crashed {
  /** Undefined when it was killed before it printed the id. */
  readonly id: string | undefined;
  /** The printed events; the last line may be cut. */
  readonly shown: readonly string[];
  readonly pid: number;
}

export async function crash({ store, cwd, agent, mode, prompt, env, when, afterMs }: Crash): Promise<Crashed> {
  const child = spawn(process.execPath, [victim, store, cwd, agent, mode, prompt], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const gone = once(child, "exit");
  const killLater = () => (afterMs === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), afterMs));
  let timer = when === undefined ? killLater() : undefined;
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    timer ??= killLater();
    if (when !== undefined && (await when(line, lines.length))) child.kill("SIGKILL");
  }
  clearTimeout(timer);
  await gone;
  const [id, ...shown] = lines;
  return { id, shown: shown.filter(isWhole), pid: child.pid! };
}

/** No shown event is lost, the repaired log is lawful, and the session can continue. */
export async function expectRecovered(
  { id, shown }: Crashed,
  store: Store,
  reins: Reins,
  prompt: string,
): Promise<void> {
  const [known] = await reins.sessions.list();
  // Killed before the first prompt: there is nothing to keep.
  if (known === undefined) return expect(shown).toEqual([]);
  expect(known.id).toBe(id ?? known.id);
  expect(known.openTurn).toBeUndefined();
  const kept = store.sessions.lines(known.id);
  const first = shown.length === 0 ? 0 : kept.indexOf(shown[0]!);
  expect(kept.slice(first, first + shown.length)).toEqual(shown);
  expectLawful(store.sessions.read(known.id));
  const session = await reins.session({ resume: known.id });
  const result = await session.prompt(prompt).result;
  expect(result).toMatchObject({ outcome: "done" });
  await session.close();
  expectLawful(store.sessions.read(known.id));
  expect(store.leases.all()).toEqual([]);
}

function isWhole(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
