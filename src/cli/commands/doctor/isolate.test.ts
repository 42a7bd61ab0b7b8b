import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { whyNotIsolated } from "./isolate.ts";

const isolate = fileURLToPath(new URL("isolate.ts", import.meta.url));

test("says that the network can be cut only on Linux", async () => {
  expect(await whyNotIsolated("darwin")).toBe("only Linux can do that");
});

const canIsolate = (await whyNotIsolated()) === undefined;

/** A process that runs a command isolated and prints its exit code. */
function owner(inner: string): ChildProcessByStdio<null, Readable, null> {
  const never = "new AbortController().signal";
  const outer = `import { againIsolated } from ${JSON.stringify(isolate)}; console.log(await againIsolated(["-e", ${JSON.stringify(inner)}], ${never}))`;
  return spawn(process.execPath, ["--input-type=module", "-e", outer], { stdio: ["ignore", "pipe", "inherit"] });
}

test.runIf(canIsolate)("gives an isolated command only loopback, and passes on its exit code", async () => {
  const { stdout } = owner(
    "console.log(Object.keys(os.networkInterfaces()).join(), process.env.REINS_NETWORK_CUT); process.exitCode = 7",
  );
  expect(await text(stdout)).toBe("lo 1\n7\n");
});

test.runIf(canIsolate)("ends when its owner is killed", async () => {
  const inner = `import(${JSON.stringify(isolate)}).then(({ whenOwnerEnds }) => {
    whenOwnerEnds().addEventListener("abort", () => process.exit());
    console.log("ready");
    setInterval(() => {}, 1000);
  })`;
  const started = owner(inner);
  await once(started.stdout, "data");
  started.kill("SIGKILL");
  // The pipe closes once no process holds its other end.
  await text(started.stdout);
});
