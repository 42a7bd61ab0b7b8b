import { fc } from "../../../test/support/fast-check.ts";
import { expect, test } from "vitest";
import { linesOf, recordings } from "../../../test/fixtures/acp/read.ts";
import type { Line } from "../../../test/fixtures/acp/read.ts";
import { replay, translatorOf } from "../../../test/fixtures/acp/replay.ts";
import { expectLawful } from "../../../test/support/lawful.ts";
import { agentEventSchema } from "../../events/schema/index.ts";
import type { AgentEvent } from "../../events/types.ts";

function expectSound(events: readonly AgentEvent[]): void {
  for (const event of events) {
    const parsed = agentEventSchema.safeParse(event);
    if (!parsed.success) expect.fail(`${JSON.stringify(event)} is not in the vocabulary: ${parsed.error.message}`);
  }
}

function translate(updates: readonly unknown[]): AgentEvent[] {
  const translator = translatorOf({ quirks: { usage: { counts: "turn" } } });
  const out: AgentEvent[] = [];
  translator.facts.introduced = true;
  translator.prompted();
  for (const update of updates) translator.update(update, out);
  translator.ended({ result: updates.at(-1) }, out);
  return out;
}

test("any JSON at all is taken", () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue(), { maxLength: 20 }), (updates) => expectSound(translate(updates))),
    { numRuns: 200 },
  );
});

/** The words of the wire in any combination: much deeper into the translator than any JSON. */
const words = fc.oneof(
  fc.constantFrom("agent_message_chunk", "agent_thought_chunk", "user_message_chunk", "tool_call", "tool_call_update"),
  fc.constantFrom("plan", "available_commands_update", "current_mode_update", "config_option_update", "usage_update"),
  fc.constantFrom("session_info_update", "text", "image", "resource", "resource_link", "diff", "content", "terminal"),
  fc.constantFrom("pending", "in_progress", "completed", "failed", "cancelled", "edit", "execute", "read", "c1", "c2"),
  fc.constantFrom("mode", "model", "end_turn", "refusal", "write_file", "mcp__a__b", "/workspace/app/a.txt"),
  fc.jsonValue({ maxDepth: 1 }),
);
const keys = fc.constantFrom(
  ...["sessionUpdate", "content", "type", "text", "messageId", "toolCallId", "title", "name", "kind", "status"],
  ...["rawInput", "rawOutput", "locations", "path", "line", "oldText", "newText", "_meta", "toolName", "entries"],
  ...["availableCommands", "currentModeId", "configOptions", "options", "value", "category", "currentValue", "used"],
  ...[
    "size",
    "cost",
    "amount",
    "usage",
    "inputTokens",
    "outputTokens",
    "stopReason",
    "resource",
    "uri",
    "mimeType",
    "data",
  ],
);
const { message: wire } = fc.letrec<{ message: unknown }>((tie) => ({
  message: fc.dictionary(
    keys,
    fc.oneof({ maxDepth: 3 }, words, tie("message"), fc.array(tie("message"), { maxLength: 3 })),
    { maxKeys: 6 },
  ),
}));

test("any update made of the words of the wire is taken", () => {
  fc.assert(
    fc.property(fc.array(wire, { maxLength: 10 }), (updates) => expectSound(translate(updates))),
    { numRuns: 100 },
  );
});

const captures = new Map(recordings().map((name): [string, Line[]] => [name, linesOf(name)]));
const telling = fc.constantFrom(...captures.keys());

test("a recording with lines lost, doubled, swapped or damaged is still lawful", () => {
  const damage = fc.record({
    name: telling,
    drop: fc.array(fc.nat(100), { maxLength: 5 }),
    double: fc.array(fc.nat(100), { maxLength: 3 }),
    swap: fc.array(fc.nat(100), { maxLength: 3 }),
    break: fc.array(fc.tuple(fc.nat(100), fc.nat(30), fc.jsonValue({ maxDepth: 1 })), { maxLength: 5 }),
  });
  fc.assert(
    fc.property(damage, ({ name, ...how }) => {
      const { said, seen } = replay(damaged(captures.get(name)!, how));
      expectSound(said);
      expectLawful(seen);
    }),
    { numRuns: 150 },
  );
});

test("a recording that is cut anywhere is still lawful", () => {
  fc.assert(
    fc.property(telling, fc.nat(120), (name, at) => {
      const { said, seen } = replay(captures.get(name)!.slice(0, at));
      expectSound(said);
      expectLawful(seen);
    }),
    { numRuns: 100 },
  );
});

interface Damage {
  readonly drop: readonly number[];
  readonly double: readonly number[];
  readonly swap: readonly number[];
  readonly break: readonly (readonly [number, number, unknown])[];
}

function damaged(capture: readonly Line[], how: Damage): Line[] {
  const lines = capture.map((line) => structuredClone(line));
  for (const [line, place, value] of how.break) breakAt(lines[line]?.msg, place, value);
  for (const at of how.swap) if (at + 1 < lines.length) [lines[at], lines[at + 1]] = [lines[at + 1]!, lines[at]!];
  for (const at of how.double) if (at < lines.length) lines.splice(at, 0, lines[at]!);
  return lines.filter((_, at) => !how.drop.includes(at));
}

/** Puts something else in one of the places of a message, counted from its outside. */
function breakAt(message: unknown, place: number, value: unknown): void {
  const places: [Record<string, unknown>, string][] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    for (const key of Object.keys(node)) places.push([node as Record<string, unknown>, key]);
    for (const child of Object.values(node)) visit(child);
  };
  visit(message);
  const found = places[place % Math.max(1, places.length)];
  if (found !== undefined) found[0][found[1]] = value;
}
