import { expect, it } from "vitest";
import { behindBriefing } from "./told.ts";

const image = { kind: "image", path: "/a.png" } as const;

it("puts the briefing before the prompt, and keeps what is attached", () => {
  expect(behindBriefing("", { text: "Do it." })).toEqual({ text: "Do it." });
  expect(behindBriefing("# Briefing", { text: "Do it.", attachments: [image] })).toEqual({
    text: "# Briefing\n\n---\n\nDo it.",
    attachments: [image],
  });
});

it("does not repeat a long prompt that the briefing has whole, and never loses one that it has not", () => {
  const text = "word ".repeat(1000);
  expect(behindBriefing(`# Briefing ${text}`, { text }).text).toMatch(/---\n\nGo on with the newest wish\.$/);
  expect(behindBriefing(`# Briefing ${text.slice(0, 2000)}`, { text }).text.endsWith(text)).toBe(true);
});
