import { expect, test } from "vitest";
import { showInput } from "./progress.ts";

test("quotes a prompt line by line and lists its attachments below", () => {
  const lines: string[] = [];
  const screen = { line: (text: string) => void lines.push(text) };
  showInput(screen, { text: "one\ntwo" });
  showInput(screen, { text: "three", attachments: [{ kind: "image", name: "a.png", path: "/tmp/upl_1.png" }] });
  expect(lines).toEqual(["> one\n> two", "> three", "· attached: a.png"]);
});
