import { expect, test } from "vitest";
import { answerMessage } from "./model-call.ts";

type Content = Parameters<typeof answerMessage>[0];
const message = (content: unknown) => answerMessage(content as Content);
const signed = { anthropic: { signature: "x" } };

test("what was said and called goes back as it was, with what the service signed", () => {
  const called = { type: "tool-call", toolCallId: "c", toolName: "read" };
  expect(
    message([
      { type: "reasoning", text: "", providerMetadata: signed },
      { type: "text", text: "Yes." },
      { ...called, input: { path: "a" }, providerMetadata: signed, title: "Read" },
    ]),
  ).toEqual({
    role: "assistant",
    content: [
      { type: "reasoning", text: "", providerOptions: signed },
      { type: "text", text: "Yes." },
      { ...called, input: { path: "a" }, providerOptions: signed },
    ],
  });
});

test("a call whose input is no object goes back with none", () => {
  const called = { type: "tool-call", toolCallId: "c", toolName: "read" };
  expect(message([{ ...called, input: "{path", invalid: true }])?.content).toEqual([{ ...called, input: {} }]);
});

test("pictures go back as data, news and sources are kept or left out as services take them", () => {
  const file = { base64: "QQ==", mediaType: "image/png" };
  expect(
    message([
      { type: "file", file },
      { type: "reasoning-file", file },
      { type: "custom", kind: "anthropic.news" },
      { type: "source", url: "https://example.com" },
    ])?.content,
  ).toEqual([
    { type: "file", data: "QQ==", mediaType: "image/png" },
    { type: "reasoning-file", data: "QQ==", mediaType: "image/png" },
    { type: "custom", kind: "anthropic.news" },
  ]);
});

test("where nothing was said there is no message", () => {
  expect(message([])).toBeUndefined();
  expect(message([{ type: "text", text: "" }])).toBeUndefined();
});
