import { expect, test } from "vitest";
import type { Agent, Attachment } from "../agents/contract.ts";
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
