import { expect, test } from "vitest";
import { showInput } from "./progress.ts";

test("a prompt is quoted line by line, and what came with it is named beneath", () => {
  const lines: string[] = [];
  const screen = { line: (text: string) => void lines.push(text) };
  showInput(screen, { text: "one\ntwo" });
  showInput(screen, { text: "three", attachments: [{ kind: "image", name: "a.png", path: "/tmp/upl_1.png" }] });
  expect(lines).toEqual(["> one\n> two", "> three", "· attached: a.png"]);
});
