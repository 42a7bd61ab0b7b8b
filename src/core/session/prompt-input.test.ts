import { expect, test } from "vitest";
import { createRedactor } from "../../events/redact.ts";
import type { Prompt } from "../api.ts";
import { promptInput, shownInput } from "./prompt-input.ts";

test.each<[Prompt, string]>([
  [null as unknown as Prompt, "A prompt is a text, or an object with one."],
  [{ text: 1 } as unknown as Prompt, "A prompt is a text, or an object with one."],
  [" \n", "The prompt is empty."],
  [{ text: "", attachments: [] }, "The prompt is empty."],
  ["ü".repeat(6), "The prompt has 12 bytes; at most 10 are taken."],
])("refuses %j", (prompt, message) => {
  expect(() => promptInput(prompt, 10)).toThrow(expect.objectContaining({ code: "invalid_input", message }));
});

test("accepts a prompt of attachments only, and shows only their names in events", () => {
  const data = Buffer.from("twelve bytes").toString("base64");
  const input = promptInput(
    {
      text: "",
      attachments: [
        { kind: "file", path: "/w/a/notes.txt" },
        { kind: "file", path: "/w/b.txt", name: "the other" },
        { kind: "image", data, mediaType: "image/png" },
        { kind: "image", data, mediaType: "image/png", name: "shot.png" },
      ],
    },
    10,
  );
  expect(shownInput(input, 100, createRedactor({}))).toEqual({
    text: "",
    attachments: [
      { kind: "file", name: "notes.txt", path: "/w/a/notes.txt" },
      { kind: "file", name: "the other", path: "/w/b.txt" },
      { kind: "image", name: "image", mediaType: "image/png", bytes: 12 },
      { kind: "image", name: "shot.png", mediaType: "image/png", bytes: 12 },
    ],
  });
});

test("cuts a long prompt in events, reports its length, and redacts it", () => {
  const redact = createRedactor({ API_TOKEN: "very-secret-token" });
  expect(shownInput({ text: "x".repeat(50) }, 10, redact)).toMatchObject({ text: "x".repeat(10), bytes: 50 });
  const { text } = shownInput({ text: "use very-secret-token" }, 100, redact);
  expect(text).not.toContain("very-secret-token");
});
