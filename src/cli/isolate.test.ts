import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { whyNotIsolated } from "./isolate.ts";

const isolate = fileURLToPath(new URL("isolate.ts", import.meta.url));

test("elsewhere than on Linux the network cannot be cut, and that is said", async () => {
  expect(await whyNotIsolated("darwin")).toBe("only Linux can do that");
});

test.runIf((await whyNotIsolated()) === undefined)(
  "what runs isolated sees loopback alone, and its end is told",
  () => {
    const inner =
      "console.log(Object.keys(os.networkInterfaces()).join(), process.env.REINS_NETWORK_CUT); process.exitCode = 7";
    const outer = `import { againIsolated } from ${JSON.stringify(isolate)}; console.log(await againIsolated(["-e", ${JSON.stringify(inner)}]))`;
    const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", outer], { encoding: "utf8" });
    expect(stdout).toBe("lo 1\n7\n");
  },
);
