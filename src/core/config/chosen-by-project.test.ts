import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createPuppet } from "../../../test/support/puppet.ts";
import { testStore } from "../../../test/support/store.ts";
import type { AgentEvent } from "../../events/types.ts";
import type { Reins } from "../api.ts";
import { createReins } from "../reins.ts";

const wide = "---\nagent: b\nmode: full\ntools:\n  allowed: [shell]\n---\nGo.";

const unknown: AgentEvent = {
  type: "turn.ended",
  outcome: "failed",
  error: { code: "model_unknown", message: "No such model.", retryable: false },
};

/** A user's agent file that allows much, and a project configuration with the given content. */
function place(project: unknown) {
  const [a, b] = [createPuppet({ id: "a" }), createPuppet({ id: "b" })];
  b.onPrompt = (session) => session.say({ type: "turn.ended", outcome: "done" });
  const { store, folder } = testStore();
  const cwd = join(folder, "project");
  mkdirSync(join(folder, "agents"));
  mkdirSync(cwd);
  writeFileSync(join(folder, "agents", "wide.md"), wide);
  writeFileSync(join(cwd, "reins.config.json"), JSON.stringify(project));
  const another = (): Reins => {
    const env = { PATH: process.env["PATH"], HOME: folder, REINS_HOME: folder };
    const reins = createReins({ agents: [a.entry, b.entry], env, store, guardian: false });
    onTestFinished(() => reins.close());
    return reins;
  };
  return { a, b, cwd, another };
}

test("a project that selects a user's file gets no more than the user allows everywhere", async () => {
  const { b, cwd, another } = place({ agent: "wide" });
  const first = another();
  const session = await first.session({ cwd });
  expect(b.session.options).toMatchObject({ mode: "ask" });
  expect(b.session.options.tools?.allowed).toBeUndefined();
  const events = [];
  for await (const event of session.prompt("go")) events.push(event);
  expect(events.find(({ type }) => type === "notice")).toMatchObject({
    message:
      "The project selected your agent file wide: its mode and allowed tools apply only when you select it yourself.",
  });
  await first.close();
  // The same holds after a resume.
  await another().session({ cwd, resume: session.id });
  expect(b.session.options).toMatchObject({ mode: "ask" });
  expect(b.session.options.tools?.allowed).toBeUndefined();
});

test("redacts a key in the file of a fallback agent", async () => {
  const { a, b, cwd, another } = place({ fallback: ["keyed"] });
  const key = "canary-0123456789abcdef";
  writeFileSync(join(cwd, "..", "agents", "keyed.md"), `---\nagent: b\nenv:\n  MY_API_KEY: ${key}\n---\n`);
  a.onPrompt = (agent) => agent.say(unknown);
  b.onPrompt = (agent) =>
    agent.say(
      { type: "message.completed", messageId: "m", text: `It is ${agent.options.env?.["MY_API_KEY"]}.` },
      { type: "turn.ended", outcome: "done" },
    );
  const session = await another().session({ cwd, agent: "a" });
  expect(await session.prompt("go").result).toMatchObject({ agent: "b", text: "It is [redacted]." });
});

test("applies the whole file when the user names it", async () => {
  const { b, cwd, another } = place({ agent: "wide" });
  await another().session({ cwd, agent: "wide" });
  expect(b.session.options).toMatchObject({ mode: "full", tools: { allowed: ["shell"] } });
});

test("a project's fallback to a user's file gets no more either", async () => {
  const { a, b, cwd, another } = place({ fallback: ["wide"] });
  a.onPrompt = (agent) => agent.say(unknown);
  const session = await another().session({ cwd, agent: "a" });
  expect(await session.prompt("go").result).toMatchObject({ outcome: "done", agent: "b" });
  expect(b.session.options).toMatchObject({ mode: "ask" });
  expect(b.session.options.tools?.allowed).toBeUndefined();
});
