/** Models and modes of the toy agent, as configuration options and in the older lists. */
import { describe, expect, test } from "vitest";
import type { AcpAgentOptions } from "../../src/protocols/acp/index.ts";
import { everything, turn, withToy } from "../support/toy.ts";

const quirks: AcpAgentOptions = { modes: { read: { id: "careful" }, ask: { id: "careful" }, edits: { id: "bold" } } };

describe.each([
  ["options", []],
  ["older lists", ["--legacy"]],
])("%s", (_how, flags) => {
  test("selects a model by id, by name or by its last part, changes it, and refuses an unknown one", async () => {
    const { session } = await withToy(flags);
    const toy = await session({ model: "large" });
    expect((await turn(toy, "where")).at(-1)).toMatchObject({ text: expect.stringContaining("careful toys/large in") });
    await toy.configure({ model: "small" });
    expect((await turn(toy, "where")).at(-1)).toMatchObject({ text: expect.stringContaining("careful small in") });
    await expect(toy.configure({ model: "huge" })).rejects.toMatchObject({
      code: "model_unknown",
      help: "It has small, toys/large.",
    });
    const all = await everything(toy);
    expect(all.find(({ type }) => type === "session.started")).toMatchObject({ model: "toys/large" });
    expect(all.filter((event) => event.type === "session.updated" && event.model !== undefined)).toHaveLength(1);
    await expect(session({ model: "huge" })).rejects.toMatchObject({ code: "model_unknown" });
  });

  test("sets a mode at the start and changes it later", async () => {
    const { session } = await withToy(flags, { quirks });
    const toy = await session({ mode: "edits" });
    expect((await turn(toy, "where")).at(-1)).toMatchObject({ text: expect.stringContaining("bold small") });
    await toy.configure({ mode: "read" });
    expect((await turn(toy, "where")).at(-1)).toMatchObject({ text: expect.stringContaining("careful small") });
    const denied = await turn(toy, "write a.txt hi");
    expect(denied.find(({ type }) => type === "permission.resolved")).toMatchObject({
      outcome: "denied",
      by: "policy",
    });
    const all = await everything(toy);
    expect(all.find(({ type }) => type === "session.started")).toMatchObject({ mode: "edits", nativeMode: "bold" });
    expect(all.filter(({ type }) => type === "notice")).toEqual([]);
  });
});

test("refuses a mode that the quirks name but the agent does not list", async () => {
  const { session } = await withToy([], { quirks: { modes: { ask: { id: "calm" } } } });
  await expect(session()).rejects.toMatchObject({ code: "unsupported", message: "Toy has no mode calm." });
});

test("keeps the model of an agent that lists none, says so, and refuses to change it later", async () => {
  const { session } = await withToy(["--no-models"]);
  const toy = await session({ model: "large" });
  const events = await turn(toy, "where");
  expect(events.find(({ type }) => type === "notice")).toMatchObject({
    code: "divergence",
    message: "Toy lists no models to choose from; it uses its own.",
  });
  await expect(toy.configure({ model: "large" })).rejects.toMatchObject({ code: "unsupported" });
  await everything(toy);
});
