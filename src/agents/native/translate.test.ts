import { expect, test } from "vitest";
import { fc } from "../../../test/support/fast-check.ts";
import { agentEventSchema } from "../../events/schema/index.ts";
import type { AgentEvent } from "../../events/types.ts";
import { neverThrows } from "../../testing/index.ts";
import { AnswerTranslator, ignored } from "./translate.ts";

function translator(raw = false): AnswerTranslator {
  let next = 0;
  return new AnswerTranslator((kind) => `${kind}_${++next}`, raw);
}

function short(events: readonly AgentEvent[]): string[] {
  return events.map((event) => {
    const { type, messageId = "", text = "" } = event as { type: string; messageId?: string; text?: string };
    return `${type} ${messageId} ${text}`.trim();
  });
}

test("completes a thought when it ends, and a text with the whole answer", () => {
  const one = translator();
  const parts = [
    { type: "reasoning-start", id: "0" },
    { type: "reasoning-delta", id: "0", text: "Hm" },
    { type: "reasoning-delta", id: "0", text: "" },
    { type: "reasoning-end", id: "0" },
    { type: "text-start", id: "0" },
    { type: "text-delta", id: "0", text: "Hel" },
    { type: "text-delta", id: "0", text: "lo" },
    { type: "text-end", id: "0" },
  ];
  expect(short(parts.flatMap((part) => one.take(part)))).toEqual([
    "thought.delta thought_1 Hm",
    "thought.completed thought_1 Hm",
    "message.delta message_2 Hel",
    "message.delta message_2 lo",
  ]);
  expect(one.text).toBe("Hello");
  expect(short(one.complete())).toEqual(["message.completed message_2 Hello"]);
  expect(one.complete()).toEqual([]);
});

test("discards an answer that is requested again, so that no text appears twice", () => {
  const one = translator();
  one.take({ type: "text-delta", id: "0", text: "Half an ans" });
  one.take({ type: "text-end", id: "0" });
  expect(short(one.discard())).toEqual(["message.discarded message_1"]);
  expect(one.complete()).toEqual([]);
  expect(one.text).toBe("");
});

test("treats an id that begins again as another message", () => {
  const one = translator();
  const said = (text: string) => [
    ...one.take({ type: "text-start", id: "0" }),
    ...one.take({ type: "text-delta", id: "0", text }),
  ];
  expect(short([...said("one"), ...said("two"), ...one.complete()])).toEqual([
    "message.delta message_1 one",
    "message.completed message_1 one",
    "message.delta message_2 two",
    "message.completed message_2 two",
  ]);
});

test("reports an unknown part once", () => {
  const one = translator();
  expect(one.take({ type: "surprise" })).toMatchObject([{ type: "notice", code: "unparsed" }]);
  expect(one.take({ type: "surprise" })).toEqual([]);
  for (const type of ignored) expect(one.take({ type })).toEqual([]);
});

test("keeps the original message on request", () => {
  const part = { type: "text-delta", id: "0", text: "x" };
  expect(translator(true).take(part)).toMatchObject([{ raw: part }]);
  expect(translator().take(part)[0]).not.toHaveProperty("raw");
});

const part = fc.oneof(
  fc.jsonValue(),
  fc.record(
    {
      type: fc.constantFrom(
        "text-start",
        "text-delta",
        "text-end",
        "reasoning-start",
        "reasoning-delta",
        "reasoning-end",
        "x",
      ),
      id: fc.oneof(fc.constantFrom("0", "1"), fc.jsonValue({ maxDepth: 1 })),
      text: fc.oneof(fc.string(), fc.jsonValue({ maxDepth: 1 })),
    },
    { requiredKeys: [] },
  ),
);

test("never throws, and ends every streamed message once with all its pieces", () => {
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), fc.boolean(), (parts, again) => {
      const one = translator();
      expect(neverThrows((given) => one.take(given), parts)).toEqual([]);
      const two = translator();
      const events = [...parts.flatMap((given) => two.take(given)), ...(again ? two.discard() : two.complete())];
      const open = new Map<string, string>();
      for (const event of events) {
        expect(agentEventSchema.safeParse(event).success).toBe(true);
        if (event.type === "message.delta" || event.type === "thought.delta")
          open.set(event.messageId, (open.get(event.messageId) ?? "") + event.text);
        else if (event.type === "message.completed" || event.type === "thought.completed") {
          expect(open.get(event.messageId)).toBe(event.text);
          open.delete(event.messageId);
        } else if (event.type === "message.discarded") expect(open.delete(event.messageId)).toBe(true);
      }
      expect([...open.keys()]).toEqual([]);
    }),
  );
});
