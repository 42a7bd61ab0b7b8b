import { expect, onTestFinished, test, vi } from "vitest";
import { noCapabilities } from "../../src/events/capabilities.ts";
import { contract } from "../../src/testing/contract/index.ts";
import { runScenario } from "../../src/testing/contract/run.ts";
import { notLive, openCloudPlace } from "../support/cloud-place.ts";

test("proves nothing with the stand-in when the real service is requested", async () => {
  vi.stubEnv("REINS_REAL_CURSOR_CLOUD", "1");
  onTestFinished(() => void vi.unstubAllEnvs());
  const text = contract.find(({ id }) => id === "text")!;
  const capabilities = { ...noCapabilities, modes: ["full"] as const, elsewhere: true };
  const { state, sentence } = await runScenario(text, capabilities, (scenario) =>
    openCloudPlace(capabilities, scenario),
  );
  expect([state, sentence]).toEqual(["not_provable", notLive]);
});
