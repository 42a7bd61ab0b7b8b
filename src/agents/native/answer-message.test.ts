import { expect, test } from "vitest";
import { answerMessage } from "./model-call.ts";

type Content = Parameters<typeof answerMessage>[0];
const message = (content: unknown) => answerMessage(content as Content);
const signed = { anthropic: { signature: "x" } };

test("returns texts and calls unchanged, with the service's signatures", () => {
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

test("sends an empty input for a call whose input is not an object", () => {
  const called = { type: "tool-call", toolCallId: "c", toolName: "read" };
  expect(message([{ ...called, input: "{path", invalid: true }])?.content).toEqual([{ ...called, input: {} }]);
});

test("returns images as data, and keeps or drops files and sources as services require", () => {
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

test("creates no message for an empty answer", () => {
  expect(message([])).toBeUndefined();
  expect(message([{ type: "text", text: "" }])).toBeUndefined();
});
