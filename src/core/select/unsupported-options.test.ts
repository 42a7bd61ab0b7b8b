import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Agent, Attachment } from "../../agents/contract.ts";
import type { SessionOptions } from "../api.ts";
import { createReins } from "../reins.ts";
import type { ReinsEvent } from "../../events/types.ts";
import { done, sessionWith } from "../../../test/support/core.ts";
import { temporaryFolder } from "../../../test/support/processes.ts";
import { createPuppet } from "../../../test/support/puppet.ts";
import { supportedInput, unsupportedOptions } from "./unsupported-options.ts";

const agent = (capabilities: object): Agent =>
  ({ name: "Some", capabilities: { systemPrompt: [], ...capabilities } }) as unknown as Agent;
const image: Attachment = { kind: "image", path: "/a.png" };
const file: Attachment = { kind: "file", path: "/a.txt" };

test("splits a prompt into accepted and unsupported attachments", () => {
  const input = { text: "look", attachments: [image, file, image] };
  expect(supportedInput(agent({ images: true, files: true }), input)).toEqual([input, []]);
  expect(supportedInput(agent({ images: false, files: true }), input)).toEqual([
    { text: "look", attachments: [file] },
    ["Some does not accept images, so they are left out."],
  ]);
  expect(supportedInput(agent({ images: false, files: false }), input)[1]).toHaveLength(2);
  expect(supportedInput(agent({}), { text: "look" })).toEqual([{ text: "look" }, []]);
  const nothing = { text: " ", attachments: [image, file] };
  expect(supportedInput(agent({ images: true }), nothing)[0].attachments).toEqual([image]);
  expect(() => supportedInput(agent({}), nothing)).toThrow(
    expect.objectContaining({
      code: "unsupported",
      message: "Some does not accept images or files, and there is nothing else in the prompt.",
    }),
  );
});

test("reports a language that the agent cannot be told", () => {
  const sentence = "Some cannot be told which language to answer in, so this option is ignored.";
  expect(unsupportedOptions(agent({}), { locale: "de" })).toEqual([sentence]);
  expect(unsupportedOptions(agent({ systemPrompt: ["append"] }), { locale: "de" })).toEqual([]);
});

test("reports earlier messages that the agent does not accept", () => {
  const history = [{ role: "person", text: "Hello." }] as const;
  expect(unsupportedOptions(agent({ history: false }), { history })).toEqual([
    "Some does not accept earlier messages, so this option is ignored.",
  ]);
  expect(unsupportedOptions(agent({ history: true }), { history })).toEqual([]);
});

test("reports unsupported options when the first turn starts and passes on the others", async () => {
  const puppet = createPuppet({ images: false });
  puppet.onPrompt = (session) => session.say(done);
  const session = await sessionWith(puppet, { locale: "pt-BR", history: [{ role: "person", text: "Hello." }] });
  expect(puppet.session.options.systemPrompt).toEqual({
    text: "Answer in Brazilian Portuguese (pt-BR).",
    how: "append",
  });
  const turn = session.prompt({ text: "look", attachments: [image] });
  const events: ReinsEvent[] = [];
  for await (const event of turn) events.push(event);
  expect(events.slice(0, 4).map((event) => (event.type === "notice" ? event.message : event.type))).toEqual([
    "turn.started",
    "turn.phase",
    "Puppet does not accept earlier messages, so this option is ignored.",
    "Puppet does not accept images, so they are left out.",
  ]);
  expect(puppet.session.prompts).toEqual([{ text: "look", attachments: [] }]);
  await expect(session.prompt({ text: "", attachments: [image] }).result).rejects.toMatchObject({
    code: "unsupported",
  });
  expect(puppet.session.prompts).toHaveLength(1);
});

/** The variables of an agent file that an agent gets, and the remarks about them. */
async function given(elsewhere: boolean, options: SessionOptions = {}) {
  const folder = temporaryFolder();
  const home = join(folder.path, "home");
  mkdirSync(join(home, "agents"), { recursive: true });
  writeFileSync(
    join(home, "agents", "mine.md"),
    "---\nagent: puppet\nenv:\n  DB_PASSWORD: abcdefgh\n  LEVEL: high\n---\n",
  );
  const puppet = createPuppet({ capabilities: { elsewhere } });
  puppet.onPrompt = (session) => session.say({ type: "turn.ended", outcome: "done" });
  const reins = createReins({ agents: [puppet.entry], env: { HOME: home, REINS_HOME: home }, guardian: false });
  onTestFinished(async () => {
    await reins.close();
    folder[Symbol.dispose]();
  });
  const session = await reins.session({ cwd: folder.path, agent: "mine", ...options });
  const said: string[] = [];
  for await (const event of session.prompt("hi")) if (event.type === "notice") said.push(event.message);
  return { env: puppet.session.options.env, said };
}

test("keeps secrets of an agent file on this machine unless the caller names them", async () => {
  expect(await given(false)).toEqual({ env: { DB_PASSWORD: "abcdefgh", LEVEL: "high" }, said: [] });
  expect(await given(true)).toEqual({
    env: { LEVEL: "high" },
    said: [
      expect.stringMatching(/works elsewhere and is not given DB_PASSWORD: no call names it for Puppet/) as string,
    ],
  });
  const env = { DB_PASSWORD: "of the call" };
  expect(await given(true, { env })).toEqual({ env: { ...env, LEVEL: "high" }, said: [] });
});

test("does not pass secrets named for one agent to a remote fallback", async () => {
  const folder = temporaryFolder();
  const env = { HOME: folder.path, REINS_HOME: folder.path };
  const here = createPuppet({ id: "here" });
  const there = createPuppet({ id: "there", capabilities: { elsewhere: true } });
  const error = { code: "quota_exhausted", message: "Used up.", retryable: false } as const;
  here.onPrompt = (session) => session.say({ type: "turn.ended", outcome: "failed", error });
  there.onPrompt = (session) => session.say({ type: "turn.ended", outcome: "done" });
  const reins = createReins({ agents: [here.entry, there.entry], env, guardian: false });
  onTestFinished(async () => {
    await reins.close();
    folder[Symbol.dispose]();
  });
  const named = { HERE_API_KEY: "abcdefgh", LEVEL: "high" };
  const session = await reins.session({ cwd: folder.path, agent: "here", fallback: ["there"], env: named });
  const said: string[] = [];
  for await (const event of session.prompt("hi")) if (event.type === "notice") said.push(event.message);
  expect(here.session.options.env).toEqual(named);
  expect(there.session.options.env).toEqual({ LEVEL: "high" });
  expect(said.join()).toContain("is not given HERE_API_KEY");
});
