import { expect, test } from "vitest";
import { readRecording, recordings, replay, translatorOf } from "../../../test/fixtures/pi/replay.ts";
import { expectLawful } from "../../../test/support/lawful.ts";
import { agentEventSchema } from "../../events/schema/index.ts";
import type { AgentEvent } from "../../events/types.ts";

const of = <Type extends AgentEvent["type"]>(events: readonly AgentEvent[], type: Type) =>
  events.filter((event): event is Extract<AgentEvent, { type: Type }> => event.type === type);
const ended = (events: readonly AgentEvent[]) => of(events, "turn.ended");

test("has recordings", () => expect(recordings.length).toBeGreaterThanOrEqual(10));

test.each(recordings)("translates %s without breaking a law or finding unknown messages", (name) => {
  const { said, seen } = replay(readRecording(name));
  for (const event of said) expect(agentEventSchema.safeParse(event).error).toBeUndefined();
  expectLawful(seen);
  expect(of(said, "notice")).toEqual([]);
});

test.each(["trivial", "think", "write", "shell", "readonly", "rpc"])(
  "reports each answer of %s once, unchanged",
  (name) => {
    const messages = readRecording(name);
    const answers = messages.flatMap((message) => {
      const { role, content } = (message["message"] ?? {}) as {
        role?: string;
        content?: { text?: string; thinking?: string }[];
      };
      return message["type"] === "message_end" && role === "assistant" ? (content ?? []) : [];
    });
    const { said } = replay(messages);
    expect(of(said, "message.completed").map(({ text }) => text)).toEqual(answers.flatMap(({ text }) => text ?? []));
    expect(of(said, "thought.completed").map(({ text }) => text)).toEqual(
      answers.flatMap(({ thinking }) => thinking ?? []),
    );
  },
);

test("reports a tool, its streaming output, and its end", () => {
  const { said } = replay(readRecording("shell"));
  const callId = "call_fake_3";
  expect(of(said, "tool.started")).toMatchObject([{ callId, tool: "shell", nativeName: "bash", kind: "execute" }]);
  expect(of(said, "tool.progress")).toEqual([{ type: "tool.progress", callId, output: "hi-from-shell\n" }]);
  expect(of(said, "tool.completed")).toMatchObject([
    { callId, output: { text: "hi-from-shell\n", bytes: 14, kept: 14 } },
  ]);
});

test("sums the usage of the answers, without cached tokens", () => {
  const { said } = replay(readRecording("shell"));
  const tokens = { input: 180, output: 14, cacheRead: 20, cacheWrite: 0, thought: 4 };
  expect(ended(said)).toMatchObject([{ outcome: "done", usage: tokens, costUsd: 0 }]);
  expect(of(said, "usage.updated")).toMatchObject([
    { scope: "turn", tokens, byModel: { "fake-model": tokens }, context: { used: 107 } },
    { scope: "session", tokens },
  ]);
});

test("takes failures from the last answer, and reports at most two retries", () => {
  expect(ended(replay(readRecording("err401")).said)).toMatchObject([
    { outcome: "failed", error: { code: "not_authenticated", message: "fake error 401" } },
  ]);
  const { said } = replay(readRecording("err429"));
  expect(of(said, "agent.retrying")).toMatchObject([
    { attempt: 1, ofMax: 2, delayMs: 2000, error: { code: "rate_limited" } },
    { attempt: 2, ofMax: 2, delayMs: 4000 },
  ]);
  expect(ended(said)).toMatchObject([{ outcome: "failed", error: { code: "rate_limited" } }]);
  expect(ended(replay(readRecording("empty")).said)).toMatchObject([{ outcome: "done" }]);
});

test("reports an abort as cancelled, and a stream that just ends as a crash", () => {
  expect(ended(replay(readRecording("rpc")).said).map(({ outcome }) => outcome)).toEqual([
    "done",
    "done",
    "cancelled",
    "done",
  ]);
  expect(ended(replay(readRecording("sigint-slow")).said)).toMatchObject([
    { outcome: "failed", error: { code: "agent_crashed", message: "pi ended without a result." } },
  ]);
});

const update = (type: string, delta: string, contentIndex = 0) => ({
  type: "message_update",
  assistantMessageEvent: { type, contentIndex, delta },
});
const answer = (content: object[], more: object = {}) => ({
  type: "message_end",
  message: { role: "assistant", content, stopReason: "stop", ...more },
});
const start = { type: "agent_start" };
const settled = { type: "agent_settled" };

test("discards text before a broken stream when it is retried, and keeps it otherwise", () => {
  const broken = [
    start,
    update("text_delta", "Half"),
    answer([{ type: "text", text: "Half" }], { stopReason: "error", errorMessage: "terminated" }),
  ];
  const retry = { type: "auto_retry_start", attempt: 1, maxAttempts: 3, delayMs: 1, errorMessage: "terminated" };
  const again = replay([
    ...broken,
    retry,
    start,
    update("text_delta", "Whole"),
    answer([{ type: "text", text: "Whole" }]),
    settled,
  ]);
  expect(again.said.map(({ type }) => type)).toEqual(
    expect.arrayContaining(["message.discarded", "agent.retrying", "message.completed"]),
  );
  expect(of(again.said, "message.completed").map(({ text }) => text)).toEqual(["Whole"]);
  const given = replay([...broken, { ...retry, attempt: 3 }, settled]);
  expect(of(given.said, "message.completed").map(({ text }) => text)).toEqual(["Half"]);
  expect(of(given.said, "agent.retrying")).toEqual([]);
  expect(ended(given.said)).toMatchObject([{ outcome: "failed", error: { code: "network" } }]);
  expectLawful(again.seen);
});

test("reports an answer that an extension changed, one that did not stream, and one that streamed in part", () => {
  const { said, seen } = replay([
    start,
    update("text_delta", "Ugly"),
    answer([{ type: "text", text: "Nice" }, { type: "thinking", thinking: "Hm." }, { type: "image" }]),
    update("text_delta", "Hel"),
    answer([{ type: "text", text: "Hello" }]),
    settled,
  ]);
  expect(of(said, "message.completed").map(({ text }) => text)).toEqual(["Nice", "Hello"]);
  expect(of(said, "message.discarded")).toHaveLength(1);
  expect(of(said, "thought.completed")).toHaveLength(1);
  expectLawful(seen);
});

test("reports compaction, requested or automatic, and a failed one", () => {
  const result = {
    summary: "s",
    tokensBefore: 1000,
    estimatedTokensAfter: 100,
    usage: { input: 5, output: 2, cost: { total: 0.5 } },
  };
  const { said } = replay([
    start,
    { type: "compaction_start", reason: "threshold" },
    { type: "compaction_end", reason: "threshold", result },
    { type: "compaction_end", reason: "manual", result: undefined, errorMessage: "No." },
    settled,
  ]);
  expect(of(said, "turn.phase").map(({ phase }) => phase)).toEqual(["model", "compact"]);
  expect(of(said, "context.compacted")).toEqual([
    { type: "context.compacted", trigger: "auto", before: 1000, after: 100 },
  ]);
  expect(of(said, "notice")).toMatchObject([{ code: "compaction", message: "pi could not compact: No." }]);
  expect(ended(said)).toMatchObject([{ usage: { input: 5, output: 2 }, costUsd: 0.5 }]);
});

test("reports messages of extensions, hides what they only show, and reports unknown ones once", () => {
  const { said } = replay([
    start,
    { type: "extension_ui_request", id: "1", method: "notify", message: "Hi", notifyType: "warning" },
    { type: "extension_ui_request", id: "2", method: "setStatus", statusKey: "x" },
    { type: "extension_error", extensionPath: "/x.ts", event: "input", error: "Broken" },
    { type: "message_end", message: { role: "custom", display: true, content: "For you" } },
    { type: "novelty" },
    { type: "novelty" },
    "garbage",
    settled,
  ]);
  expect(of(said, "notice").map(({ code, message, count }) => [code, message, count])).toEqual([
    ["extension", "Hi", undefined],
    ["extension", "An extension of pi failed (/x.ts): Broken", undefined],
    ["extension", "For you", undefined],
    ["unparsed", "pi sent a message of type novelty, which Reins does not know; it was ignored.", undefined],
    ["unparsed", "pi sent a line that is not JSON, which Reins does not know; it was ignored.", undefined],
    ["unparsed", "pi sent a message of type novelty, which Reins does not know; it was ignored.", 2],
  ]);
});

test("ends a turn only when the work of that turn has ended", () => {
  const translator = translatorOf();
  const say = (message: object) => translator.translate(message).map(({ type }) => type);
  // Work of an extension ends just when a prompt was sent.
  say(start);
  translator.promptSent();
  expect(say(settled)).toEqual([]);
  translator.promptAccepted();
  say(start);
  expect(translator.isIdle()).toEqual([]);
  expect(say(settled)).toEqual(["turn.ended"]);
  // A prompt that is done without the model.
  translator.promptSent();
  expect(translator.isIdle()).toEqual([]);
  translator.promptAccepted();
  expect(translator.isIdle().map(({ type }) => type)).toEqual(["turn.ended"]);
  expect(translator.isIdle()).toEqual([]);
  // A refused prompt, and a turn that an extension begins by itself.
  translator.promptSent();
  translator.promptRefused();
  expect(translator.running).toBe(false);
  say(start);
  expect([translator.running, translator.prompted]).toEqual([true, false]);
  say(update("text_delta", "By myself."));
  expect(say(settled)).toEqual(["message.completed", "turn.ended"]);
  say(start);
  expect(say(settled)).toEqual([]);
});

test("reports a cancelled turn as cancelled, whatever its last answer", () => {
  const translator = translatorOf();
  translator.promptSent();
  translator.translate(start);
  translator.cancel();
  translator.translate(answer([{ type: "text", text: "Done." }]));
  expect(translator.translate(settled).at(-1)).toMatchObject({ type: "turn.ended", outcome: "cancelled" });
  expect(translator.cancelling).toBe(false);
  translator.cancel();
  expect(translator.cancelling).toBe(false);
});

test("keeps the original message on every event", () => {
  const messages = readRecording("write");
  for (const event of replay(messages, { raw: true }).said)
    if (event.type !== "process.exited") expect(messages).toContainEqual(event.raw);
});
