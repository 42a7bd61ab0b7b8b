/** Images and files attached to a prompt. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scenarioPrompt } from "../../../src/testing/index.ts";
import { one } from "../support/events.ts";
import { realAgent } from "../support/real-agent.ts";
import { asked } from "./support/requests.ts";

const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";

test("sends the bytes of an image to the model, and a reference in the events", async () => {
  const real = await realAgent("claude");
  writeFileSync(join(real.cwd, "red.png"), Buffer.from(png, "base64"));
  const session = await real.session();
  const attachments = [
    { kind: "image", mediaType: "image/png", data: png, name: "given.png" },
    { kind: "image", path: "red.png" },
  ] as const;
  const { result, events } = await real.turn(session, { text: scenarioPrompt("image"), attachments });
  expect(result.text).toBe("I see 2 image(s).");
  expect(asked(real.model)[0]!.messages.split(png)).toHaveLength(3);
  expect(one(events, "turn.started").input?.attachments).toMatchObject([
    { kind: "image", name: "given.png" },
    { kind: "image", name: "red.png" },
  ]);
  expect(JSON.stringify(events)).not.toContain(png);
});

test("sends the text of a file to the model", async () => {
  const real = await realAgent("claude");
  writeFileSync(join(real.cwd, "notes.txt"), "The secret ingredient is salt.\n");
  writeFileSync(join(real.cwd, "data.bin"), Buffer.from([0, 1, 2, 3]));
  const attachments = [
    { kind: "file", path: "notes.txt" },
    { kind: "file", path: "data.bin" },
  ] as const;
  const { result } = await real.turn(await real.session(), { text: scenarioPrompt("text"), attachments });
  expect(result.outcome).toBe("done");
  const { messages } = asked(real.model)[0]!;
  expect(messages).toContain("The secret ingredient is salt.");
  expect(messages).toContain(join(real.cwd, "data.bin"));
});

test.each([
  ["a file that is not an image", { kind: "image", mediaType: "image/png", data: "bm90IGFuIGltYWdl" }],
  ["a missing image", { kind: "image", path: "missing.png" }],
  ["a missing file", { kind: "file", path: "missing.txt" }],
  ["a folder", { kind: "file", path: ".git" }],
] as const)("refuses %s, and the session continues", async (_, attachment) => {
  const real = await realAgent("claude");
  const session = await real.session();
  const { result } = await real.turn(session, { text: "Look.", attachments: [attachment] });
  expect(result).toMatchObject({ outcome: "failed", error: { code: "invalid_input" } });
  expect(real.model.requests).toEqual([]);
  expect((await real.turn(session, scenarioPrompt("text"))).result.outcome).toBe("done");
});

test("delivers a long prompt in full", async () => {
  const real = await realAgent("claude");
  const long = `${"x".repeat(2_000_000)} the end`;
  const { result, events } = await real.turn(await real.session(), `${long}\n${scenarioPrompt("text")}`);
  expect(result.outcome).toBe("done");
  expect(asked(real.model)[0]!.messages).toContain(long);
  expect(one(events, "turn.started").input).toMatchObject({ bytes: expect.any(Number) });
});

test("refuses a prompt over the limit with one sentence", async () => {
  const real = await realAgent("claude");
  const session = await real.session();
  await expect(session.prompt("x".repeat(17 * 1024 * 1024)).result).rejects.toMatchObject({ code: "invalid_input" });
  await expect(session.prompt("  \n").result).rejects.toMatchObject({ code: "invalid_input" });
  expect((await real.turn(session, scenarioPrompt("text"))).result.outcome).toBe("done");
});
