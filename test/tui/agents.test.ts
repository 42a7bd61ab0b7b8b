/** The interface with real agents and a scripted model: the same steps for each agent. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { scenarioPrompt } from "../../src/testing/index.ts";
import { agentPlace } from "./support/agent.ts";
import { keys } from "./support/interface.ts";

const slow = { name: "slow", about: "Begins and waits.", steps: [[{ say: "I begin." }, { gate: "never" }]] };

describe.each([
  { id: "claude", name: "Claude Code", editsInput: true, isToldWhy: true },
  { id: "codex", name: "Codex", editsInput: false, isToldWhy: false },
])("$name", ({ id, name, editsInput, isToldWhy }) => {
  test("prompts, approves, denies, denies with a message, resizes, quits and resumes", async () => {
    const place = await agentPlace(id);
    const tui = await place.open([], { columns: 100, rows: 30 });
    await tui.shows(name);
    await tui.send(scenarioPrompt("write", "a.txt"));
    await tui.shows("y Allow once");
    expect(existsSync(join(place.cwd, "a.txt"))).toBe(false);
    tui.type("y");
    await tui.shows("▸ Worked");
    await expect.poll(() => existsSync(join(place.cwd, "a.txt"))).toBe(true);

    await tui.send(scenarioPrompt("write", "b.txt"));
    await tui.shows("n Deny");
    await tui.resize(80, 24);
    await tui.shows("n Deny");
    tui.type("n");
    await tui.hides(/Waiting for (?:approval|your answer)|Answer with a key/);
    await tui.resize(100, 30);

    await tui.send(scenarioPrompt("write", "c.txt"));
    await tui.shows("n Deny");
    // A denial has no words on the wire of Codex, so it is not offered there.
    expect(tui.screen().includes("m Deny with a message")).toBe(isToldWhy);
    tui.type(isToldWhy ? "m" : "n");
    if (isToldWhy) {
      await tui.shows("Deny, and tell the agent");
      await tui.send("Keep c.txt as it is.");
    }
    await tui.hides(/Waiting for (?:approval|your answer)|Deny, and tell|Answer with a key/);
    expect(["b.txt", "c.txt"].map((file) => existsSync(join(place.cwd, file)))).toEqual([false, false]);
    await tui.hides("Esc Esc stops");
    if (isToldWhy) {
      tui.type(keys.ctrl("t"));
      await tui.shows("Keep c.txt as it is.");
      expect(JSON.stringify(place.model.requests.map(({ body }) => body))).toContain("Keep c.txt as it is.");
    }
    expect(await tui.quit()).toBe(0);

    const again = await place.open(["--resume"], { columns: 100, rows: 30 });
    await again.shows("scenario:write:c.txt");
    await again.send(scenarioPrompt("write", "d.txt"));
    await again.shows("y Allow once");
    again.type("y");
    await expect.poll(() => existsSync(join(place.cwd, "d.txt"))).toBe(true);
    expect(JSON.stringify(place.model.requests.at(-1)?.body)).toContain("scenario:write:a.txt");
    await again.hides("Esc Esc stops");
    expect(await again.quit()).toBe(0);
  });

  test("edits the input, cancels and runs slash commands", async () => {
    const place = await agentPlace(id, { scenarios: [slow] });
    const tui = await place.open([], { columns: 120, rows: 40 });
    await tui.shows(name);
    if (editsInput) {
      await tui.send(scenarioPrompt("shell", "echo one > a.txt"));
      await tui.shows("e Edit");
      tui.type("e");
      await tui.shows("Edit the input");
      tui.type(`${keys.ctrl("u")}echo two > b.txt`);
      await tui.shows("echo two > b.txt");
      tui.type(keys.enter);
      await tui.shows("▸ Worked");
      expect(readFileSync(join(place.cwd, "b.txt"), "utf8")).toBe("two\n");
      expect(existsSync(join(place.cwd, "a.txt"))).toBe(false);
    } else {
      // Codex takes no changed input, so the key is not offered.
      await tui.send(scenarioPrompt("write", "a.txt"));
      await tui.shows("y Allow once");
      expect(tui.screen()).not.toContain("e Edit");
      tui.type("n");
      await tui.hides(/Waiting for (?:approval|your answer)|Answer with a key/);
    }
    await tui.send("scenario:slow");
    await tui.shows("I begin.");
    tui.type(keys.escape + keys.escape);
    await tui.shows(/[Cc]ancelled/);
    await tui.send("/status");
    await tui.shows(`${name} Status`);
    await tui.send("/models");
    await tui.shows(`Available Models (${name})`);
    expect(await tui.quit()).toBe(0);
  });
});
