/** Several processes write to one store: no gap, no duplicate, no lock error. Short here, long in `npm run test:chaos`. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { testStore } from "../support/store.ts";

const ms = Number(process.env["REINS_HAMMER_MS"] ?? 1_000);
const names = ["one", "two"];

test(`two processes write at the same time for ${ms} ms`, { timeout: ms + 60_000 }, async ({ annotate }) => {
  const { store, folder } = testStore();
  const script = fileURLToPath(new URL("../support/store-hammer.ts", import.meta.url));
  const said = await Promise.all(
    names.map((name) => promisify(execFile)(process.execPath, [script, folder, name, String(ms)])),
  );
  for (const [index, { stdout, stderr }] of said.entries()) {
    expect(stderr).toBe("");
    const { events, troubles } = JSON.parse(stdout) as { events: number; troubles: string[] };
    expect(troubles).toEqual([]);
    const kept = store.sessions.read(`ses_${names[index]}`).map(({ seq }) => seq);
    expect(kept.length).toBe(events);
    expect(kept.findIndex((seq, place) => seq !== place + 1)).toBe(-1);
    await annotate(`${names[index]}: ${events} events`);
  }
});
