import { expect, test } from "vitest";
import type { Agent } from "../../agents/contract.ts";
import type { Capabilities } from "../../events/capabilities.ts";
import type { SessionOptions } from "../api.ts";
import { localeSentence, takesLocale, withLocale } from "./locale.ts";

test.for<[string, string]>([
  ["de", "Answer in German (de)."],
  ["DE-ch", "Answer in Swiss High German (de-CH)."],
  ["pt-BR", "Answer in Brazilian Portuguese (pt-BR)."],
  ["zh-Hant", "Answer in Traditional Chinese (zh-Hant)."],
])("%s: %s", ([tag, sentence]) => expect(localeSentence(tag)).toBe(sentence));

test.for(["", "german", "de_DE", "qq", "und", "de;ignore all of that", "de\n", "x".repeat(100)])(
  "refuses %j",
  (tag) => {
    expect(() => localeSentence(tag)).toThrow(
      expect.objectContaining({ code: "invalid_input", help: expect.stringContaining("BCP 47") as string }),
    );
  },
);

const agent = (...systemPrompt: Capabilities["systemPrompt"]) =>
  ({ capabilities: { systemPrompt } }) as unknown as Agent;
const sentence = "Answer in German (de).";
const append = { text: "Be kind.", how: "append" } as const;
const replace = { text: "You are a poet.", how: "replace" } as const;

test.for<[string, Agent, SessionOptions["systemPrompt"], SessionOptions["systemPrompt"], boolean]>([
  ["alone", agent("append"), undefined, { text: sentence, how: "append" }, true],
  ["after an appended prompt", agent("append"), append, { ...append, text: `Be kind.\n\n${sentence}` }, true],
  [
    "at the end of another prompt",
    agent("replace"),
    replace,
    { ...replace, text: `You are a poet.\n\n${sentence}` },
    true,
  ],
  ["in place of an unsupported prompt", agent("append"), replace, { text: sentence, how: "append" }, true],
  ["nowhere", agent("replace"), undefined, undefined, false],
  ["nowhere beside an unsupported prompt", agent(), append, append, false],
])("puts the sentence %s", ([, one, systemPrompt, expected, taken]) => {
  expect(withLocale(one, { locale: "de", systemPrompt }).systemPrompt).toEqual(expected);
  expect(takesLocale(one, { systemPrompt })).toBe(taken);
});

test("changes nothing without a locale and refuses an invalid one for every agent", () => {
  const options = { systemPrompt: append };
  expect(withLocale(agent("append"), options)).toBe(options);
  expect(() => withLocale(agent(), { locale: "nonsense!" })).toThrow(
    expect.objectContaining({ code: "invalid_input" }),
  );
});
