import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createPuppet, type Puppet } from "../../../test/support/puppet.ts";
import { temporaryFolder } from "../../../test/support/processes.ts";
import type { EventOf } from "../../events/types.ts";
import type { Reins, SessionOptions } from "../api.ts";
import { createReins } from "../reins.ts";

let root: string;
let reins: Reins;
let puppet: Puppet;
let clean: () => Promise<void>;
beforeEach(() => {
  const folder = temporaryFolder();
  root = folder.path;
  for (const path of ["home/agents", "project/.reins/agents"]) mkdirSync(join(root, path), { recursive: true });
  puppet = createPuppet();
  puppet.onPrompt = (session) => session.say({ type: "turn.ended", outcome: "done" });
  const env = { PATH: process.env["PATH"], HOME: join(root, "home"), REINS_HOME: join(root, "home") };
  reins = createReins({ agents: [puppet.entry], env, guardian: false });
  clean = async () => {
    await reins.close();
    folder[Symbol.dispose]();
  };
});
afterEach(() => clean());

function write(path: string, text: string): void {
  writeFileSync(join(root, path), text);
}
const open = (options: SessionOptions = {}) => reins.session({ cwd: join(root, "project"), ...options });

test("accepts an agent file as agent and uses its body as system prompt", async () => {
  write("project/.reins/agents/reviewer.md", "---\nagent: puppet\nmode: read\nmodel: some\n---\nYou review.");
  const session = await open({ agent: "reviewer" });
  expect(session.agent).toBe("puppet");
  expect(puppet.session.options).toMatchObject({
    mode: "read",
    model: "some",
    systemPrompt: { text: "You review.", how: "append" },
  });
});

test("accepts an agent file in the configuration, also without an agent in the file", async () => {
  write("home/config.json", JSON.stringify({ agent: "mine" }));
  write("home/agents/mine.md", "---\nagent: puppet\n---\nMine.");
  await open();
  expect(puppet.session.options.systemPrompt?.text).toBe("Mine.");
});

test("reports ignored settings of a project's file at the start of the turn", async () => {
  write("project/.reins/agents/wild.md", "---\nagent: puppet\nmode: full\n---\n");
  const session = await open({ agent: "wild" });
  expect(puppet.session.options.mode).toBe("ask");
  const notices: EventOf<"notice">[] = [];
  for await (const event of session.prompt("hi")) if (event.type === "notice") notices.push(event);
  expect(notices.map(({ message }) => message)).toEqual([
    "The project's agent file asks for mode full; only you can allow that.",
  ]);
});

test("removes the agent itself from the configured fallback", async () => {
  write("home/config.json", JSON.stringify({ fallback: ["puppet"] }));
  expect((await open({ agent: "puppet" })).agent).toBe("puppet");
  await expect(open({ agent: "puppet", fallback: ["puppet"] })).rejects.toThrow(
    "The agent puppet falls back to itself.",
  );
});

test("never replaces an agent by a file, and suggests the closest name of both", async () => {
  write("project/.reins/agents/puppet.md", "---\nmode: read\n---\nNot me.");
  write("project/.reins/agents/reviewer.md", "---\n---\n");
  await open({ agent: "puppet" });
  expect(puppet.session.options.systemPrompt).toBeUndefined();
  await expect(open({ agent: "reviewr" })).rejects.toMatchObject({
    message: "There is no agent reviewr.",
    help: "Did you mean reviewer?",
  });
});
