import { spawn } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { seededRandom } from "../support/random.ts";
import { lendSpec } from "../support/lend-spec.ts";
import { temporaryFolder, testProcesses, until } from "../support/processes.ts";

const lender = fileURLToPath(new URL("../support/lender.ts", import.meta.url));
const theirs = Buffer.from("\uFEFF{ // mine\r\n\t}\r\n");
let runs = 0;

interface Place {
  readonly home: string;
  readonly root: string;
}

async function lend({ home, root }: Place, guardian: string, what: string, step: number): Promise<boolean> {
  const args = [lender, home, root, `lender-${process.pid}-${++runs}`, guardian, what, String(step)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
  const [code, signal] = (await once(child, "exit")) as [number | null, string | null];
  expect(code === 0 || signal === "SIGKILL").toBe(true);
  return signal === "SIGKILL";
}

function listing(folder: string): readonly string[] {
  return fs.readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted();
}

/** True when the folder holds only the original content, byte for byte. */
function isAsItWas({ root }: Place, file: boolean): boolean {
  if (!file) return listing(root).length === 0;
  const path = join(root, "a", "b.json");
  return listing(root).join() === "a,a/b.json" && fs.readFileSync(path).equals(theirs);
}

/** `npm run test:chaos` tries every step; the normal suite tries one random step. */
const all = process.env["REINS_KILLS"] !== undefined;
const random = seededRandom();

/** Runs with a kill at each step until a run survives. Returns the number of steps. */
async function atSteps(
  file: boolean,
  most: number,
  check: (place: Place, step: number) => Promise<boolean>,
): Promise<number> {
  const one = 1 + random.below(most);
  for (let index = 0; all || index === 0; index++) {
    const step = all ? index + 1 : one;
    using folder = temporaryFolder();
    const place = { home: join(folder.path, "home"), root: join(folder.path, "root") };
    fs.mkdirSync(join(place.root, ...(file ? ["a"] : [])), { recursive: true });
    if (file) fs.writeFileSync(join(place.root, "a", "b.json"), theirs);
    if (!(await check(place, step)) && all) return step;
  }
  return most;
}

const said = (step: number): string => `step ${step}, REINS_TEST_SEED=${random.seed}`;

test.each([true, false])(
  "restores the file at the next start after a kill at any step (a file existed before: %s)",
  async (file) => {
    const steps = await atSteps(file, 40, async (place, step) => {
      const killed = await lend(place, "alone", "borrow", step);
      await testProcesses(place.home).reap();
      expect([said(step), isAsItWas(place, file)]).toEqual([said(step), true]);
      return killed;
    });
    expect(steps).toBeGreaterThan(20);
  },
);

test("restores the file after a kill at any step of restoring it for a dead process", async () => {
  const steps = await atSteps(true, 15, async (place, step) => {
    const dead = testProcesses(place.home, { runId: "dead" });
    await dead.files!.borrow(lendSpec(place.root));
    // Make the record look like that of a dead process.
    const [record = ""] = fs.readdirSync(join(place.home, "lent")).filter((name) => name.endsWith(".json"));
    const path = join(place.home, "lent", record);
    fs.writeFileSync(path, fs.readFileSync(path, "utf8").replace(`"pid":${process.pid}`, '"pid":1073741823'));
    const killed = await lend(place, "alone", "reap", step);
    await testProcesses(place.home).reap();
    expect([said(step), isAsItWas(place, true)]).toEqual([said(step), true]);
    return killed;
  });
  expect(steps).toBeGreaterThan(10);
});

test("lets the guardian restore the file after a kill at any step", async () => {
  await atSteps(true, 40, async (place, step) => {
    const killed = await lend(place, "guardian", "borrow", step);
    const records = (): boolean => listing(join(place.home, "lent")).some((name) => name.endsWith(".json"));
    await until(() => !records() && isAsItWas(place, true), said(step));
    return killed;
  });
});
