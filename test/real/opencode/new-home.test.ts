/** Other tests use a home that OpenCode has used before; a new person's home is empty. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scenarioPrompt } from "../../../src/testing/index.ts";
import { realAgent } from "../support/real-agent.ts";

test("works in a new home without network", { timeout: 240_000 }, async () => {
  const real = await realAgent("opencode");
  for (const name of [".cache", ".config"]) rmSync(join(real.home, name), { recursive: true });
  const session = await real.session();
  expect((await real.turn(session, scenarioPrompt("text"))).result.outcome).toBe("done");
});
