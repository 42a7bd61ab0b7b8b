import { afterEach, beforeEach, expect, it } from "vitest";
import { Place } from "../../../test/support/command.ts";

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place[Symbol.dispose]());

const env = { ANTHROPIC_API_KEY: "made-up-key-0123456789" };

it("shows every part that would be sent, without the key", async () => {
  const { code, stdout } = await place.run(["context", "-a", "native", "--prompt", "Say hello."], { env });
  expect(stdout.match(/^# .+$/gm)).toEqual([
    "# Model",
    "# System prompt",
    expect.stringMatching(/^# Tools \(\d+\)$/),
    "# Messages (1)",
    "# Request",
  ]);
  expect(stdout).toContain("POST https://api.anthropic.com/v1/messages");
  expect(stdout).toContain("Say hello.");
  expect(stdout).not.toContain("made-up-key");
  expect(code).toBe(0);
});

it("prints JSON without a request for a fresh session", async () => {
  const { stdout } = await place.run(["context", "-a", "native", "--json"], { env });
  const shown = JSON.parse(stdout) as { model: string; messages: unknown[]; request?: unknown };
  expect(shown).toMatchObject({ model: "anthropic/claude-sonnet-5-5", messages: [] });
  expect(shown.request).toBeUndefined();
});

it.each([
  [["-a", "demo"], "Demo does not report what it sends to its model."],
  [["native:1:00000000-0000-0000-0000-000000000000"], "There is no conversation"],
  [["garbage"], "This state cannot be resumed here"],
])("reports for %j: %s", async (args, sentence) => {
  const { code, stderr } = await place.run(["context", ...args], { env });
  expect(stderr).toContain(sentence);
  expect(code).not.toBe(0);
});
