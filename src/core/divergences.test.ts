import { expect, test } from "vitest";
import { done, sessionWith } from "../../test/support/core.ts";
import { createPuppet } from "../../test/support/puppet.ts";
import type { Agent, Attachment } from "../agents/contract.ts";
import type { ReinsEvent } from "../events/types.ts";
import { divergences, takenOf } from "./divergences.ts";

const agent = (capabilities: object): Agent =>
  ({ name: "Some", capabilities: { systemPrompt: [], ...capabilities } }) as unknown as Agent;
const image: Attachment = { kind: "image", path: "/a.png" };
const file: Attachment = { kind: "file", path: "/a.txt" };

test("what an agent takes of a prompt, and what it does not", () => {
  const input = { text: "look", attachments: [image, file, image] };
  expect(takenOf(agent({ images: true, files: true }), input)).toEqual([input, []]);
  expect(takenOf(agent({ images: false, files: true }), input)).toEqual([
    { text: "look", attachments: [file] },
    ["Some takes no images; it goes on without."],
  ]);
  expect(takenOf(agent({ images: false, files: false }), input)[1]).toHaveLength(2);
  expect(takenOf(agent({}), { text: "look" })).toEqual([{ text: "look" }, []]);
  const nothing = { text: " ", attachments: [image, file] };
  expect(takenOf(agent({ images: true }), nothing)[0].attachments).toEqual([image]);
  expect(() => takenOf(agent({}), nothing)).toThrow(
    expect.objectContaining({
      code: "unsupported",
      message: "Some takes no images and no files, and there is nothing else in the prompt.",
    }),
  );
});

test("a language that an agent cannot be told", () => {
  const sentence = "Some cannot be told in which language to answer; it goes on without.";
  expect(divergences(agent({}), { locale: "de" })).toEqual([sentence]);
  expect(divergences(agent({ systemPrompt: ["append"] }), { locale: "de" })).toEqual([]);
});

test("earlier messages that an agent does not take", () => {
  const history = [{ role: "person", text: "Hello." }] as const;
  expect(divergences(agent({ history: false }), { history })).toEqual([
    "Some takes no earlier messages; it goes on without.",
  ]);
  expect(divergences(agent({ history: true }), { history })).toEqual([]);
});

test("what a session cannot have is said when its first turn starts, and what it can have reaches the agent", async () => {
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
  expect(events.slice(0, 3).map((event) => (event.type === "notice" ? event.message : event.type))).toEqual([
    "turn.started",
    "Puppet takes no earlier messages; it goes on without.",
    "Puppet takes no images; it goes on without.",
  ]);
  expect(puppet.session.prompts).toEqual([{ text: "look", attachments: [] }]);
  await expect(session.prompt({ text: "", attachments: [image] }).result).rejects.toMatchObject({
    code: "unsupported",
  });
  expect(puppet.session.prompts).toHaveLength(1);
});
